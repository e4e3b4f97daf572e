/** A pool of the driver whose statements and transactions pass a gate. */

import type postgres from "postgres";
import type { Gate } from "./gate.ts";
import { partyAtGate } from "./party.ts";
import type { Slot } from "./flows.ts";

/** What the driver's query shows of itself; our patch adds `refuse`. */
interface Query {
  readonly strings: readonly string[];
  /** Sends it, or puts it behind others. Called once, when the query is awaited. */
  handler: (query: Query) => void;
  resolve: (result: unknown) => void;
  reject: (error: Error) => void;
  readonly refuse?: () => Error | undefined;
}

const isRead = ({ strings: [text = ""] }: Query): boolean => text.trimStart().startsWith("select");

type Pool = postgres.Sql;
type Begin = (...given: unknown[]) => Promise<unknown>;

/** The same pool; its own properties are shared with the one that is given. */
export function gatedPool(pool: Pool, gate: Gate): Pool {
  let send: Query["handler"];
  const handler = (query: Query): void => {
    const party = partyAtGate();
    if (party === undefined) send(query);
    else {
      const { reject, refuse } = query;
      const start = (slot: Slot): void => sendWith(query, slot);
      gate.enter(party, { start, reject, refuse, isRead: isRead(query) });
    }
  };
  const sendWith = (query: Query, slot: Slot): void => {
    const { resolve, reject } = query;
    query.resolve = (result) => {
      gate.leave(slot);
      resolve(result);
    };
    query.reject = (error) => {
      gate.leave(slot);
      reject(error);
    };
    send(query);
  };
  const gated = <T>(made: T): T => {
    // Identifiers and fragments are never sent.
    if (made instanceof Promise) {
      const query = made as unknown as Query;
      send = query.handler;
      query.handler = handler;
    }
    return made;
  };
  const begin: Begin = (...given) => {
    const begun = () => (pool.begin as Begin)(...given);
    // After the mode and the work itself: our patch lets a transaction be refused until it starts.
    const refuse = given[2] as Query["refuse"];
    const party = partyAtGate();
    return party === undefined ? begun() : gate.hold(party, begun, refuse);
  };
  return Object.assign((...given: Parameters<Pool>) => gated(pool(...given)), pool, {
    unsafe: (...given: Parameters<Pool["unsafe"]>) => gated(pool.unsafe(...given)),
    begin,
  }) as Pool;
}
