/**
 * A closed loop of requests by autocannon, answers checked while it runs, with the processor time of
 * who answers beside it.
 */

import autocannon from "autocannon";

/** A request, and what its answer must be. */
export interface Ask {
  readonly method: "GET" | "POST" | "PATCH";
  readonly path: string;
  readonly body?: string;
  /** Throws where an answer of this length and content is wrong; asked of one in CHECK_EVERY. */
  readonly check?: (body: string) => void;
  /** What of a load of several kinds it is. */
  readonly kind?: string;
}

/** Who is asked, and the next request of any connection. */
export interface Arm {
  readonly url: string;
  readonly authorization?: string | undefined;
  readonly next: () => Ask;
  /** Processor time that its processes have used so far, ms. */
  readonly cpu_ms: () => number;
}

export interface Turn {
  /** Requests a second. */
  readonly rate: number;
  /** Processor time of a request, µs: who answers, and the database. */
  readonly cpu_us: number;
  readonly took_ms: readonly number[];
  /** The same by kind. */
  readonly byKind: ReadonlyMap<string, readonly number[]>;
}

export interface Loop {
  readonly connections: number;
  readonly for_s: number;
}

/** A loop that ends after this many requests, however long they take. */
export interface CountedLoop {
  readonly connections: number;
  readonly requests: number;
}

const CHECK_EVERY = 50;

function push(lists: Map<string, number[]>, name: string, value: number): void {
  const list = lists.get(name) ?? [];
  if (list.length === 0) lists.set(name, list);
  list.push(value);
}

/** Keeps so many connections busy. Throws if a response is not a success, or if a checked one is wrong. */
export async function loop(arm: Arm, turn: Loop | CountedLoop): Promise<Turn> {
  const { url, authorization, next, cpu_ms } = arm;
  const byKind = new Map<string, number[]>();
  const took_ms: number[] = [];
  let fault: unknown;
  const headers = {
    "content-type": "application/json",
    ...(authorization !== undefined && { authorization }),
  };
  const onResponse = (status: number, body: string, context: Record<string, unknown>): void => {
    const { check, kind, path } = context["ask"] as Ask;
    const took = performance.now() - (context["begun_ms"] as number);
    took_ms.push(took);
    if (kind !== undefined) push(byKind, kind, took);
    try {
      if (status < 200 || status > 299) throw new Error(`${path}: ${status} ${body.slice(0, 300)}`);
      if (took_ms.length % CHECK_EVERY === 1) check?.(body);
    } catch (error) {
      fault ??= error;
    }
  };
  const setupRequest = (given: object, context: Record<string, unknown>) => {
    const ask = next();
    context["ask"] = ask;
    context["begun_ms"] = performance.now();
    const { method, path, body } = ask;
    // Without a body and headers of its own it would be sent with the body, and its length, of another.
    return { ...given, method, path, headers: { ...headers }, body };
  };
  const [before_ms, begun_ms] = [cpu_ms(), performance.now()];
  const { promise, resolve, reject } = Promise.withResolvers<{ errors: number }>();
  const options = {
    ...{ url, connections: turn.connections, sampleInt: 20, timeout: 60 },
    ...("requests" in turn ? { amount: turn.requests } : { duration: turn.for_s }),
    requests: [{ setupRequest, onResponse }],
  };
  autocannon(options, (error, result) => (error === null ? resolve(result) : reject(error)));
  const { errors } = await promise;
  const [used_ms, took_s] = [cpu_ms() - before_ms, (performance.now() - begun_ms) / 1000];
  if (fault !== undefined) throw fault;
  if (errors > 0) throw new Error(`${errors} requests to ${url} had no answer`);
  const cpu_us = (1000 * used_ms) / took_ms.length;
  return { rate: took_ms.length / took_s, cpu_us, took_ms, byKind };
}
