/** Sends the requests of the traffic, and counts what became of them in each phase of an upgrade. */

import { setTimeout as sleep } from "node:timers/promises";

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // oxlint-disable-next-line typescript/no-explicit-any -- responses of any shape
  readonly body: any;
}

/** A request without a success, or a response that was wrong. */
export interface Failure {
  readonly phase: string;
  readonly at_s: number;
  readonly what: string;
}

export interface Phase {
  readonly name: string;
  readonly start_ms: number;
  sent: number;
  failed: number;
  /** The longest time between two successful responses. */
  pause_ms: number;
  /** The longest response, and its request. */
  slowest_ms: number;
  slowest: string;
}

const RESPONSE_MAX_ms = 60_000;
const RETRY_AFTER_ms = 250;
const SHOWN_MAX = 300;

export interface ClientOptions {
  readonly url: () => string;
  readonly token: string;
  /** Whether requests are sent again until they succeed, as clients do while a service restarts. */
  readonly isPatient: boolean;
}

export class Client {
  readonly #options: ClientOptions;
  readonly #start_ms = performance.now();
  readonly failures: Failure[] = [];
  readonly phases: Phase[] = [];
  #succeeded_ms = performance.now();

  constructor(options: ClientOptions) {
    this.#options = options;
    this.begin("before");
  }

  get #phase(): Phase {
    const phase = this.phases.at(-1);
    if (phase === undefined) throw new Error("There is no phase");
    return phase;
  }

  /** Begins a phase of the upgrade. */
  begin(name: string): void {
    console.error(`${this.#at_s().toFixed(1).padStart(7)} s  ${name}`);
    const start_ms = performance.now();
    this.phases.push({
      name,
      start_ms,
      sent: 0,
      failed: 0,
      pause_ms: 0,
      slowest_ms: 0,
      slowest: "",
    });
  }

  /** Notes a failure, for example a response whose content is wrong. */
  fail(what: string): void {
    const phase = this.#phase;
    phase.failed += 1;
    this.failures.push({ phase: phase.name, at_s: this.#at_s(), what });
  }

  /** Sends a request. Returns undefined if it fails. */
  async ask(asked: Asked): Promise<Answer | undefined> {
    for (;;) {
      this.#phase.sent += 1;
      const start_ms = performance.now();
      const answer = await this.#send(asked);
      if (typeof answer !== "string") {
        this.#note(asked, start_ms);
        return answer;
      }
      const took_ms = Math.round(performance.now() - start_ms);
      this.fail(`${asked.method} ${asked.path.slice(0, 60)} after ${took_ms} ms: ${answer}`);
      if (!this.#options.isPatient) return undefined;
      await sleep(RETRY_AFTER_ms);
    }
  }

  #note({ method, path }: Asked, start_ms: number): void {
    const phase = this.#phase;
    const now_ms = performance.now();
    phase.pause_ms = Math.max(phase.pause_ms, now_ms - this.#succeeded_ms);
    this.#succeeded_ms = now_ms;
    if (now_ms - start_ms < phase.slowest_ms) return;
    phase.slowest_ms = now_ms - start_ms;
    phase.slowest = `${method} ${path.split("?", 1)[0] ?? ""}`.replaceAll(/[0-9a-f]{24}/g, "…");
  }

  /** Returns the response, or why there is none. */
  async #send(asked: Asked): Promise<Answer | string> {
    const { method, path, body, headers } = asked;
    try {
      const response = await fetch(this.#options.url() + path, {
        method,
        headers: {
          authorization: `Bearer ${this.#options.token}`,
          ...(body !== undefined && { "content-type": "application/json" }),
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(RESPONSE_MAX_ms),
      });
      const text = await response.text();
      if (!response.ok) return `${response.status} ${text.slice(0, SHOWN_MAX)}`;
      return { status: response.status, headers: response.headers, body: JSON.parse(text) };
    } catch (error) {
      const { message, cause } = error as Error;
      return `${message} ${cause === undefined ? "" : String(cause)}`;
    }
  }

  #at_s(): number {
    return (performance.now() - this.#start_ms) / 1000;
  }
}
