/**
 * The ordinary user of the service, in a separate process: reads a page of leads at a fixed rate
 * over two persistent connections, and creates a lead every second. A request is timed from the
 * time at which it was due, so a blocked service cannot hide behind requests that were not sent.
 */

import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

export interface VictimArguments {
  readonly url: string;
  readonly token: string;
  /** The time from one request of a kind to the next. */
  readonly every_ms: Readonly<Record<Sample["kind"], number>>;
}

/** One request: when it was due (milliseconds since the epoch), how long it took, and what failed. */
export interface Sample {
  readonly kind: "read" | "create";
  readonly at_ms: number;
  readonly took_ms: number;
  readonly error?: string;
}

/** A request that has had no response for this long counts as an error. */
const RESPONSE_ms = 20_000;

const { url, token, every_ms } = JSON.parse(process.argv[2] ?? "{}") as VictimArguments;
const agents = {
  read: new Agent({ keepAlive: true, maxSockets: 2 }),
  create: new Agent({ keepAlive: true, maxSockets: 1 }),
};

function send(kind: Sample["kind"], body?: string): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  const path = kind === "read" ? "/crm/leads?page_size=50" : "/crm/leads";
  const asked = request(url + path, {
    agent: agents[kind],
    method: body === undefined ? "GET" : "POST",
    headers: {
      authorization: `Bearer ${token}`,
      ...(body !== undefined && { "content-type": "application/json" }),
    },
    signal: AbortSignal.timeout(RESPONSE_ms),
  });
  asked.on("error", (error) => resolve((error as NodeJS.ErrnoException).code ?? error.name));
  asked.on("response", (response) => {
    response.resume();
    response.on("error", (error) => resolve((error as NodeJS.ErrnoException).code ?? error.name));
    response.on("end", () =>
      resolve(response.statusCode === 200 ? undefined : String(response.statusCode)),
    );
  });
  asked.end(body);
  return promise;
}

async function sample(kind: Sample["kind"], at_ms: number, body?: string): Promise<void> {
  const error = await send(kind, body);
  const took_ms = Date.now() - at_ms;
  const seen: Sample = { kind, at_ms, took_ms, ...(error !== undefined && { error }) };
  process.send?.(seen);
}

async function repeat(kind: Sample["kind"]): Promise<never> {
  const started_ms = Date.now();
  for (let n = 0; ; n += 1) {
    const due_ms = started_ms + n * every_ms[kind];
    await sleep(Math.max(0, due_ms - Date.now()));
    const body =
      kind === "create" ? JSON.stringify({ name: `Victim ${process.pid} ${n}` }) : undefined;
    void sample(kind, due_ms, body);
  }
}

process.on("disconnect", () => process.exit());
await Promise.all([repeat("read"), repeat("create")]);
