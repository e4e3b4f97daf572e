/** A persistent client: it repeats a request with the same idempotency key until it gets a response. */

import { setTimeout as sleep } from "node:timers/promises";

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Told {
  readonly status: number;
  readonly headers: Headers;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read responses of any shape
  readonly body: any;
  /** The number of attempts before the attempt that received this response. */
  readonly retries: number;
}

export interface Tally {
  requests: number;
  retries: number;
  replays: number;
  inUse: number;
  unavailable: number;
}

/** One attempt to send a request. `answer` is undefined if the response was missing or incomplete. */
export interface Attempt {
  readonly asked: Asked;
  readonly answer: Omit<Told, "retries"> | undefined;
  readonly took_ms: number;
}

export interface Asker {
  readonly ask: (asked: Asked) => Promise<Told>;
  readonly tally: Tally;
}

/** How long a request may remain without a response. The service is always back within this time, on any machine. */
const WITHIN_ms = 300_000;
const ANSWER_ms = 60_000;
const PAUSE_ms = 25;

/**
 * Sends requests with a token. Retries each one after a lost connection, a 409 for its idempotency
 * key, or a 503. `observe` is called with every attempt.
 */
export function createAsker(
  url: string,
  bearer: string,
  observe: (attempt: Attempt) => void = () => {},
): Asker {
  const tally: Tally = { requests: 0, retries: 0, replays: 0, inUse: 0, unavailable: 0 };
  const ask = async (asked: Asked): Promise<Told> => {
    const { method, path, body, headers = {} } = asked;
    const until = performance.now() + WITHIN_ms;
    tally.requests += 1;
    const outcomes: string[] = [];
    for (let retries = 0; ; retries += 1) {
      if (performance.now() > until) {
        throw new Error(
          `${method} ${path} never gets a response: ${outcomes.slice(-10).join("; ")}`,
        );
      }
      if (retries > 0) {
        tally.retries += 1;
        await sleep(Math.random() * PAUSE_ms * Math.min(retries, 8));
      }
      const begun = performance.now();
      const answer = await send(url + path, {
        method,
        headers: {
          authorization: `Bearer ${bearer}`,
          ...(body !== undefined && { "content-type": "application/json" }),
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(ANSWER_ms),
      });
      const took_ms = performance.now() - begun;
      observe({ asked, answer, took_ms });
      outcomes.push(`${outcomeOf(answer)} after ${Math.round(took_ms)} ms`);
      if (answer === undefined) continue;
      const { status } = answer;
      if (answer.headers.get("idempotency-replayed") === "true") tally.replays += 1;
      if (status === 503) tally.unavailable += 1;
      else if (isKeyInUse(answer)) tally.inUse += 1;
      else return { ...answer, retries };
    }
  };
  return { ask, tally };
}

const outcomeOf = (answer: Omit<Told, "retries"> | undefined): string =>
  answer === undefined ? "no complete response" : `${answer.status} ${JSON.stringify(answer.body)}`;

/** Whether a 409 asks the client to retry, because the first request with the key is still running. */
const isKeyInUse = ({ status, headers }: Pick<Told, "status" | "headers">): boolean =>
  status === 409 && headers.has("retry-after");

/** Returns the response, or undefined if it was incomplete. */
async function send(url: string, init: RequestInit): Promise<Omit<Told, "retries"> | undefined> {
  try {
    const answer = await fetch(url, init);
    const text = await answer.text();
    const body: unknown = text === "" ? undefined : JSON.parse(text);
    return { status: answer.status, headers: answer.headers, body };
  } catch {
    return undefined;
  }
}
