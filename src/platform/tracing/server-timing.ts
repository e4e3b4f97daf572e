/**
 * Where the time of a request went, told in the answer's `Server-Timing` (W3C Server Timing): where the
 * request asks for it with `Prefer: timing` (RFC 7240), or always, where the installation says so. A
 * request that does not ask costs a look at one header.
 */

import { AsyncLocalStorage } from "node:async_hooks";
import type { FastifyReply, FastifyRequest } from "fastify";

/** Moments of one request, in milliseconds of `performance.now`. */
interface Timing {
  readonly isAlways: boolean;
  readonly begun_ms: number;
  admitted_ms?: number;
  answered_ms?: number;
  isSent: boolean;
  /** From when to when each statement was under way; they may overlap. */
  readonly statements: (readonly [from_ms: number, to_ms: number])[];
}

const PREFERS_TIMING = /(?:^|,)\s*timing\s*(?:[;,]|$)/i;

const timings = new WeakMap<FastifyRequest, Timing>();
/** Of the request whose operation is being run: statements know no request. */
const running = new AsyncLocalStorage<Timing>();

/** Begins to take the times of a request that asks for them, or of every one. */
export function beginTiming(request: FastifyRequest, reply: FastifyReply, isAlways = false): void {
  const { prefer } = request.headers;
  if (!isAlways && (prefer === undefined || !PREFERS_TIMING.test(String(prefer)))) return;
  const begun_ms = performance.now() - reply.elapsedTime;
  timings.set(request, { isAlways, begun_ms, isSent: false, statements: [] });
}

/** The caller may do what it asks for: the end of `auth`. */
export function noteAdmitted(request: FastifyRequest): void {
  const timing = timings.get(request);
  if (timing !== undefined) timing.admitted_ms = performance.now();
}

/** What the operation answers is known, or its failure is: the beginning of `send`. */
export function noteAnswered(request: FastifyRequest): void {
  const timing = timings.get(request);
  if (timing !== undefined) timing.answered_ms ??= performance.now();
}

/** A handler during which statements are noted, where the request is timed. */
export const timed =
  <T>(handler: (request: FastifyRequest, reply: FastifyReply) => Promise<T>) =>
  (request: FastifyRequest, reply: FastifyReply): Promise<T> => {
    const timing = timings.get(request);
    if (timing === undefined) return handler(request, reply);
    return running.run(timing, () =>
      handler(request, reply).catch((error: unknown) => {
        noteAnswered(request);
        throw error;
      }),
    );
  };

/**
 * Before the head of an answer is written: tells the stages that there were. A caller that is nobody is
 * told them only where everybody is: they would say what is looked up for a wrong credential.
 */
export function sendTiming(request: FastifyRequest, reply: FastifyReply, isKnown: boolean): void {
  const timing = timings.get(request);
  if (timing === undefined) return;
  timing.isSent = true;
  if (!isKnown && !timing.isAlways) return;
  const stages = Object.entries(stagesOf(timing, performance.now()));
  const metrics = stages.map(([name, took_ms]) => `${name};dur=${took_ms.toFixed(2)}`);
  reply.header("server-timing", metrics.join(", "));
}

/**
 * The stages in milliseconds; together they are `total`. `plan` ends where the first statement begins,
 * and `work` is what lies between and behind statements, such as calls of a tenant's own system.
 */
function stagesOf(timing: Timing, now_ms: number): Readonly<Record<string, number>> {
  const { begun_ms, admitted_ms = now_ms, answered_ms = now_ms, statements } = timing;
  const total = now_ms - begun_ms;
  const auth = admitted_ms - begun_ms;
  if (timing.admitted_ms === undefined) return { auth, total };
  const first_ms = Math.min(...statements.map(([from_ms]) => from_ms), answered_ms);
  const plan = first_ms - admitted_ms;
  const send = now_ms - answered_ms;
  if (statements.length === 0) return { auth, plan, send, total };
  const database = lengthOf(statements);
  return { auth, plan, database, work: answered_ms - first_ms - database, send, total };
}

/** How long it is that at least one statement was under way. */
function lengthOf(statements: Timing["statements"]): number {
  let [length_ms, until_ms] = [0, 0];
  for (const [from_ms, to_ms] of statements.toSorted((a, b) => a[0] - b[0])) {
    length_ms += Math.max(0, to_ms - Math.max(from_ms, until_ms));
    until_ms = Math.max(until_ms, to_ms);
  }
  return length_ms;
}

function noteStatement(timing: Timing, from_ms: number): void {
  if (!timing.isSent) timing.statements.push([from_ms, performance.now()]);
}

export const isNoting = (): boolean => running.getStore() !== undefined;

/**
 * The same query, its time noted where its request is timed. Not before it is settled: what is only a
 * part of another statement never is. The plain `then`, since the driver's own would send it.
 */
export function noted<Q>(query: Q): Q {
  const timing = running.getStore();
  if (timing === undefined || timing.isSent || !(query instanceof Promise)) return query;
  const from_ms = performance.now();
  const note = () => noteStatement(timing, from_ms);
  void Promise.prototype.then.call(query, note, note);
  return query;
}

/** Begins a transaction; what it does before its work and after it is noted as statements are. */
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
