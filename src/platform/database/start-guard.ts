/**
 * Whether what a request writes may still be started. A caller that has given up may have sent something
 * newer by now, so its request must not be carried out behind that: nothing is started once the
 * connection is closed, nor 5 s after the body was complete. What has started is finished.
 */

import type { FastifyRequest } from "fastify";
import type { Db, Tx } from "./tx.ts";

/** The code of the error that a statement fails with which was not sent. */
export const NOT_STARTED = "NOT_STARTED";

const START_WITHIN_ms = 5_000;

class StartGuard implements ProxyHandler<Db> {
  readonly #request: FastifyRequest;
  readonly #until_ms = performance.now() + START_WITHIN_ms;
  hasStarted = false;

  constructor(request: FastifyRequest) {
    this.#request = request;
  }

  isAbandoned(): boolean {
    return this.#request.raw.socket.destroyed;
  }

  /** The driver asks before it sends a statement, at once and again when it had to wait. */
  readonly refuse = (): Error | undefined => {
    if (this.hasStarted) return undefined;
    if (!this.isAbandoned() && performance.now() < this.#until_ms) return undefined;
    return notStarted();
  };

  apply(pool: Db, _self: unknown, given: unknown[]): unknown {
    return this.#guarded(Reflect.apply(pool as never, undefined, given));
  }

  get(pool: Db, name: string | symbol): unknown {
    if (name === GUARD) return this;
    if (name === "unsafe") {
      return (...given: Parameters<Db["unsafe"]>) => this.#guarded(pool.unsafe(...given));
    }
    if (name !== "begin") return Reflect.get(pool, name);
    const begin = pool.begin.bind(pool) as (...given: unknown[]) => Promise<unknown>;
    return (mode: string, work: (tx: unknown) => unknown) => {
      const started = (tx: unknown): unknown => {
        this.hasStarted = true;
        return work(tx);
      };
      return begin(mode, started, this.refuse);
    };
  }

  #guarded(query: unknown): unknown {
    if (query instanceof Promise)
      (query as { refuse?: () => Error | undefined }).refuse = this.refuse;
    return query;
  }
}

const GUARD = Symbol("the guard of a request");

const guardOf = (db: Db | Tx): StartGuard | undefined =>
  (db as { readonly [GUARD]?: StartGuard })[GUARD];

/** Whether a request failed since it could not be started in time, or its caller has gone. */
export const isNotStarted = (error: unknown): boolean =>
  (error as { readonly code?: unknown } | null)?.code === NOT_STARTED;

const notStarted = (): Error =>
  Object.assign(new Error("The request was not started in time"), { code: NOT_STARTED });

/** The pool for what this request writes, from now on: when all that it had to ask before is known. */
export const guardedBy = (request: FastifyRequest, sql: Db): Db =>
  new Proxy(sql, new StartGuard(request));

/** What follows is no longer the start of the request, and is finished whatever happens. */
export function noteStarted(db: Db | Tx): void {
  const guard = guardOf(db);
  if (guard !== undefined) guard.hasStarted = true;
}

/** Throws where the request that waits for its turn has been abandoned by its caller. */
export function refuseAbandoned(db: Db | Tx): void {
  if (guardOf(db)?.isAbandoned() === true) throw notStarted();
}
