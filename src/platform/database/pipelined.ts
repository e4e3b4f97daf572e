/**
 * Lets short reads share connections by pipelining
 * (https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-PIPELINING): a
 * statement can be sent while the connection is still busy with another one. The server runs the
 * statements one after another without idling in between, and one packet can contain several
 * statements. If a statement takes longer, the next statements use another connection.
 */

import { eachQuery } from "../admission/index.ts";
import { beforeSettled, type SentQuery } from "../tracing/index.ts";
import type { Pool } from "./database-watch.ts";
import type { Db } from "./tx.ts";

/** Maximum number of statements in flight on a connection. */
export const PIPELINED_MAX = 16;
/** If a statement runs longer than this, further statements use another connection. */
const SHORT_ms = 5;

/** The parts of the driver's query object that we use. */
interface Query extends SentQuery {
  handler: (query: Query) => void;
}

class Pipeline {
  readonly #send: Query["handler"];
  sent = 0;
  /** The time when the running statement was sent or when the previous one ended, whichever is later. */
  #since_ms = 0;

  /** `pool` must have exactly one connection. */
  constructor(pool: Db) {
    // This query is never sent, because queries are sent only when they are awaited.
    this.#send = (pool.unsafe("") as unknown as Query).handler;
  }

  takesMore(now_ms: number): boolean {
    return this.sent > 0 && this.sent < PIPELINED_MAX && now_ms - this.#since_ms < SHORT_ms;
  }

  send(query: Query, now_ms: number): void {
    if (this.sent === 0) this.#since_ms = now_ms;
    this.sent += 1;
    let isInFlight = true;
    // The driver may reject a statement twice: when its connection is dropped, and again when the
    // connection has closed.
    beforeSettled(query, () => {
      if (isInFlight) this.sent -= 1;
      isInFlight = false;
      this.#since_ms = performance.now();
    });
    this.#send(query);
  }
}

/** Combines several one-connection pools into one pool for single statements. It does not support transactions. */
export function pipelined(pools: readonly Db[]): Db {
  const pipelines = pools.map((pool) => new Pipeline(pool));
  const handler = (query: Query): void => {
    const now_ms = performance.now();
    const pipeline =
      pipelines.find((one) => one.takesMore(now_ms)) ??
      pipelines.reduce((least, one) => (one.sent < least.sent ? one : least));
    pipeline.send(query, now_ms);
  };
  const [first] = pools as [Db];
  const one = eachQuery(first, (query) => {
    query.handler = handler;
  });
  const shown = pools as unknown as readonly Pool[];
  return Object.assign(one, { connections: shown.flatMap(({ connections }) => connections) });
}
