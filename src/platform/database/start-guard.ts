/**
 * Decides whether a request's writes may still start. A client that has given up may have sent a
 * newer request in the meantime, and the older request must not run after the newer one. Writes
 * therefore never start after the connection has been closed, or more than 5 s after the request
 * body was complete. Once a request has started, it always runs to completion.
 */

import type { FastifyRequest } from "fastify";
import { type Db, type Guard, isTx, type Tx } from "./tx.ts";

/**
 * The error code of statements that were not sent, because the request did not start in time or its client
 * disconnected.
 */
export const NOT_STARTED = "NOT_STARTED";

const START_WITHIN_ms = 5_000;

class StartGuard implements Guard {
  readonly #request: FastifyRequest;
  readonly #until_ms = performance.now() + START_WITHIN_ms;
  #hasStarted = false;

  constructor(request: FastifyRequest) {
    this.#request = request;
  }

  isAbandoned(): boolean {
    return this.#request.raw.socket.destroyed;
  }

  start(): void {
    this.#hasStarted = true;
  }

  /** Called before a statement is sent, and again if the statement had to wait. */
  readonly refuse = (): Error | undefined => {
    if (this.#hasStarted) return undefined;
    if (!this.isAbandoned() && performance.now() < this.#until_ms) return undefined;
    return notStarted();
  };
}

const guardOf = (db: Db | Tx): Guard | undefined => (isTx(db) ? undefined : db.guard);

const notStarted = (): Error =>
  Object.assign(new Error("The request was not started in time"), { code: NOT_STARTED });

/** Returns the pool for a request's writes. Call this only when everything that precedes the writes is done. */
export const guardedBy = (request: FastifyRequest, sql: Db): Db =>
  sql.guardedBy(new StartGuard(request));

/** Marks the request as started. From now on, it always runs to completion. */
export const noteStarted = (db: Db | Tx): void => guardOf(db)?.start();

/** Throws if the client of a waiting request has disconnected. */
export function refuseAbandoned(db: Db | Tx): void {
  if (guardOf(db)?.isAbandoned() === true) throw notStarted();
}
