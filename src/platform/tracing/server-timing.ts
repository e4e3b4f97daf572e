/**
 * The `Server-Timing` response header (W3C Server Timing). It is sent if the request contains `Prefer: timing`
 * (RFC 7240). Other requests cost only one header check.
 */

import { AsyncLocalStorage } from "node:async_hooks";
import type { FastifyReply, FastifyRequest } from "fastify";

/** Points in time during a request, in milliseconds as returned by `performance.now`. */
interface Timing {
  readonly start_ms: number;
  admitted_ms?: number;
  responded_ms?: number;
  isSent: boolean;
  /** The start and end times of the statements. These periods may overlap. */
  readonly statements: (readonly [from_ms: number, to_ms: number])[];
}

const PREFERS_TIMING = /(?:^|,)\s*timing\s*(?:[;,]|$)/i;

const timings = new WeakMap<FastifyRequest, Timing>();
/** The timing of the current request. It is stored here because statements do not know which request they belong to. */
const running = new AsyncLocalStorage<Timing>();

/** Starts timing a request that asks for it. */
export function beginTiming(request: FastifyRequest, reply: FastifyReply): void {
  const { prefer } = request.headers;
  if (prefer === undefined || !PREFERS_TIMING.test(String(prefer))) return;
  const start_ms = performance.now() - reply.elapsedTime;
  timings.set(request, { start_ms, isSent: false, statements: [] });
}

/** Records that the caller has been authorized, which ends the `auth` stage. */
export function noteAdmitted(request: FastifyRequest): void {
  const timing = timings.get(request);
  if (timing !== undefined) timing.admitted_ms = performance.now();
}

/** Records that the operation has succeeded or failed, which starts the `send` stage. */
export function noteResponded(request: FastifyRequest): void {
  const timing = timings.get(request);
  if (timing !== undefined) timing.responded_ms ??= performance.now();
}

/** Wraps a handler so that its statements are timed if the request is. */
export const timed =
  <T>(handler: (request: FastifyRequest, reply: FastifyReply) => Promise<T>) =>
  (request: FastifyRequest, reply: FastifyReply): Promise<T> => {
    const timing = timings.get(request);
    if (timing === undefined) return handler(request, reply);
    return running.run(timing, () =>
      handler(request, reply).catch((error: unknown) => {
        noteResponded(request);
        throw error;
      }),
    );
  };

/**
 * Adds the stages to a response. Call this before the headers are written. Callers with an unknown credential do not
 * get the stages, because these reveal what is looked up for an invalid credential.
 */
export function sendTiming(request: FastifyRequest, reply: FastifyReply, isKnown: boolean): void {
  const timing = timings.get(request);
  if (timing === undefined) return;
  timing.isSent = true;
  if (!isKnown) return;
  const stages = Object.entries(stagesOf(timing, performance.now()));
  const metrics = stages.map(([name, took_ms]) => `${name};dur=${took_ms.toFixed(2)}`);
  reply.header("server-timing", metrics.join(", "));
}

/**
 * Returns the stages in milliseconds, which add up to `total`. `plan` ends when the first statement starts. `work` is
 * the time between and after statements, for example for requests to a tenant's own system.
 */
function stagesOf(timing: Timing, now_ms: number): Readonly<Record<string, number>> {
  const { start_ms, admitted_ms = now_ms, responded_ms = now_ms, statements } = timing;
  const total = now_ms - start_ms;
  const auth = admitted_ms - start_ms;
  if (timing.admitted_ms === undefined) return { auth, total };
  const first_ms = Math.min(...statements.map(([from_ms]) => from_ms), responded_ms);
  const plan = first_ms - admitted_ms;
  const send = now_ms - responded_ms;
  if (statements.length === 0) return { auth, plan, send, total };
  const database = lengthOf(statements);
  return { auth, plan, database, work: responded_ms - first_ms - database, send, total };
}

/** Returns the total time during which at least one statement was running. */
function lengthOf(statements: Timing["statements"]): number {
  let length_ms = 0;
  let until_ms = 0;
  for (const [from_ms, to_ms] of statements.toSorted((a, b) => a[0] - b[0])) {
    length_ms += Math.max(0, to_ms - Math.max(from_ms, until_ms));
    until_ms = Math.max(until_ms, to_ms);
  }
  return length_ms;
}

function noteStatement(timing: Timing, from_ms: number): void {
  if (!timing.isSent) timing.statements.push([from_ms, performance.now()]);
}

/** Returns the result of a statement unchanged, and records its time if the request is timed. */
export function noted<T>(result: Promise<T>): Promise<T> {
  const timing = running.getStore();
  if (timing === undefined || timing.isSent) return result;
  const from_ms = performance.now();
  const note = () => noteStatement(timing, from_ms);
  result.then(note, note);
  return result;
}

/** Runs a transaction. Its begin and commit are recorded like statements. */
export async function notedTransaction<X, T>(
  work: (tx: X) => Promise<T>,
  begin: (work: (tx: X) => Promise<T>) => Promise<unknown>,
): Promise<T> {
  const timing = running.getStore();
  if (timing === undefined) return (await begin(work)) as T;
  let from_ms = performance.now();
  const inner = async (tx: X): Promise<T> => {
    noteStatement(timing, from_ms);
    return work(tx).finally(() => {
      from_ms = performance.now();
    });
  };
  try {
    return (await begin(inner)) as T;
  } finally {
    noteStatement(timing, from_ms);
  }
}
