/** Wraps a driver pool so that its statements and transactions pass through a gate. */

import type postgres from "postgres";
import { beforeSettled, type SentQuery, type Span, traceStatement } from "../tracing/index.ts";
import type { Gate } from "./gate.ts";
import { currentSpan, inTransactionSpan, partyAtGate } from "./party.ts";
import type { Slot } from "./flows.ts";

/** The parts of the driver's query object that we use. Our driver patch adds `refuse`. */
interface Query extends SentQuery {
  /** Sends or queues the query. Called once, when the query is awaited. */
  handler: (query: Query) => void;
  readonly refuse?: () => Error | undefined;
}

const isRead = ({ strings: [text = ""] }: Query): boolean => text.trimStart().startsWith("select");

type Pool = postgres.Sql;
type Begin = (...given: unknown[]) => Promise<unknown>;

/** Wraps a pool. The wrapper shares the properties of the original pool. */
export function gatedPool(pool: Pool, gate: Gate): Pool {
  let send: Query["handler"];
  const handler = (query: Query): void => {
    const party = partyAtGate();
    if (party === undefined) {
      const span = currentSpan();
      if (span !== undefined) traceStatement(query, span);
      send(query);
    } else {
      const { reject, refuse } = query;
      const start = (slot: Slot): void => sendWith(query, slot, party.span);
      gate.enter(party, { start, reject, refuse, isRead: isRead(query) });
    }
  };
  const sendWith = (query: Query, slot: Slot, span: Span | undefined): void => {
    beforeSettled(query, () => gate.leave(slot));
    if (span !== undefined) traceStatement(query, span);
    send(query);
  };
  const begin: Begin = (...given) => {
    const start = () => inTransactionSpan(() => (pool.begin as Begin)(...given));
    // The third argument comes after the mode and the work. Our driver patch adds it so that a
    // transaction that has not started can be refused.
    const refuse = given[2] as Query["refuse"];
    const party = partyAtGate();
    return party === undefined ? start() : gate.hold(party, start, refuse);
  };
  const gated = eachQuery(pool, (query) => {
    send = query.handler;
    query.handler = handler;
  });
  return Object.assign(gated, { begin }) as Pool;
}

/** Wraps a transaction so that its statements have spans. Returns an untraced transaction unchanged. */
export function tracedTransaction(tx: Pool): Pool {
  const span = currentSpan();
  if (span === undefined) return tx;
  return eachQuery(tx, (query) => {
    const send = query.handler;
    const traced = (): void => {
      traceStatement(query, span);
      send(query);
    };
    query.handler = traced;
  });
}

/** Wraps a pool so that `prepare` is called for each query, but not for identifiers and fragments. */
export function eachQuery(pool: Pool, prepare: (query: Query) => void): Pool {
  const prepared = <T>(made: T): T => {
    if (made instanceof Promise) prepare(made as unknown as Query);
    return made;
  };
  return Object.assign((...given: Parameters<Pool>) => prepared(pool(...given)), pool, {
    unsafe: (...given: Parameters<Pool["unsafe"]>) => prepared(pool.unsafe(...given)),
  }) as Pool;
}
