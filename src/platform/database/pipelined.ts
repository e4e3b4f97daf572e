/**
 * Connections that short reads share. A statement that is sent while its connection is busy waits there for its turn
 * (https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-PIPELINING): the server goes from one to the
 * next without sleeping in between, and several travel in one packet. Behind a statement that takes longer nothing
 * more is sent; the next one gets another connection.
 */

import { eachQuery } from "../admission/index.ts";
import { beforeSettled, type SentQuery } from "../tracing/index.ts";
import type { Pool } from "./database-watch.ts";
import type { Db } from "./tx.ts";

/** Statements that a connection has at once. */
export const PIPELINED_MAX = 16;
/** How long a statement may be under way until those after it get another connection. */
const SHORT_ms = 5;

/** What the driver's query shows of itself. */
interface Query extends SentQuery {
  handler: (query: Query) => void;
}

class Pipeline {
  readonly #send: Query["handler"];
  sent = 0;
  /** When the statement that is under way was sent, or the one before it ended. */
  #since_ms = 0;

  /** A pool of one connection. */
  constructor(pool: Db) {
    // A query is sent when it is awaited, and this one never is.
    this.#send = (pool.unsafe("") as unknown as Query).handler;
  }

  takesMore(now_ms: number): boolean {
    return this.sent > 0 && this.sent < PIPELINED_MAX && now_ms - this.#since_ms < SHORT_ms;
  }

  send(query: Query, now_ms: number): void {
    if (this.sent === 0) this.#since_ms = now_ms;
    this.sent += 1;
    let isUnderWay = true;
    // The driver may reject a statement twice: when its connection is dropped, and when that has closed.
    beforeSettled(query, () => {
      if (isUnderWay) this.sent -= 1;
      isUnderWay = false;
      this.#since_ms = performance.now();
    });
    this.#send(query);
  }
}

/** One pool of several that have a connection each. It is for statements that stand alone, not for transactions. */
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
