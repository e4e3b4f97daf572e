/**
 * Sessions that queries share. A query that finds no free session waits here, in front of the driver, where it can still
 * be refused and where it does not depend on any other query. Sessions are opened when they are needed.
 */

import type { ServerAddress } from "./address.ts";
import { ConnectionError } from "./connection-error.ts";
import type { Query } from "./query.ts";
import { ended, Session } from "./session.ts";
import { parseTarget, type Settings, type Target, withoutTls } from "./target.ts";
import { asError } from "../errors/index.ts";

export interface PoolOptions {
  readonly url: string;
  /** Returns the address for each new session. Default: the host and port of `url`. */
  readonly address?: (() => ServerAddress) | undefined;
  /** Maximum number of sessions. Default: 1. */
  readonly max?: number;
  /** Settings of each session, such as `application_name`. */
  readonly settings?: Settings;
  /** Maximum number of statements that a session runs one after another without waiting for the results. Default: 1. */
  readonly pipelined?: number;
  /** Sessions end when they have not been used for this long. Default: never. */
  readonly idle_ms?: number;
  /** Connecting fails after this time. Default: 10 s. */
  readonly connect_ms?: number | undefined;
  /** Changes the text of each query before it is sent. */
  readonly rewrite?: ((text: string) => string) | undefined;
}

interface Waiter {
  /** Whether no other query may use the session at the same time. */
  readonly isAlone: boolean;
  readonly start: (session: Session) => void;
  readonly fail: (error: Error) => void;
  /** Returns an error if the query is no longer needed. */
  readonly refuse: (() => Error | undefined) | undefined;
}

/** The pause after a lost connection or a failed attempt to connect. */
const RECONNECT_AFTER_ms = 100;
/** If a statement runs longer than this, no further statements are sent on its session. */
const SHORT_ms = 5;

export class Pool {
  readonly options: PoolOptions;
  #target: Target;
  readonly #pipelined: number;
  readonly max: number;
  readonly #sessions = new Set<Session>();
  #waiters: Waiter[] = [];
  #retry_ms = 0;
  /** When a session was last used. */
  #used_ms = 0;
  #idleTimer: NodeJS.Timeout | undefined;
  #isEnding = false;
  readonly #isEmpty = Promise.withResolvers<void>();
  readonly #closing: Promise<void>[] = [];

  constructor(options: PoolOptions) {
    this.options = options;
    this.max = options.max ?? 1;
    this.#pipelined = options.pipelined ?? 1;
    this.#target = parseTarget(options.url);
  }

  get sessions(): Iterable<Session> {
    return this.#sessions;
  }

  get waiting(): number {
    return this.#waiters.length;
  }

  /** Runs a query as soon as a session is free. */
  submit(query: Query): void {
    const error = this.#isEnding ? ended() : query.refuse?.();
    if (error !== undefined) {
      query.fail(error);
      return;
    }
    const session = this.#waiters.length === 0 ? this.#free(false) : undefined;
    if (session !== undefined) session.send(query);
    else {
      this.#wait({
        isAlone: false,
        start: (found) => found.send(query),
        fail: (reason) => query.fail(reason),
        refuse: query.refuse,
      });
    }
  }

  /** Waits for a session and returns it for use by the caller alone, until `release` is called. */
  acquire(refuse?: () => Error | undefined): Promise<Session> {
    return new Promise((resolve, reject) => {
      const error = this.#isEnding ? ended() : refuse?.();
      if (error !== undefined) {
        reject(error);
        return;
      }
      const start = (session: Session): void => {
        session.isHeld = true;
        resolve(session);
      };
      const session = this.#waiters.length === 0 ? this.#free(true) : undefined;
      if (session === undefined) this.#wait({ isAlone: true, start, fail: reject, refuse });
      else start(session);
    });
  }

  release(session: Session): void {
    session.isHeld = false;
    this.#freed(session);
  }

  /** Fails the waiting queries that are no longer needed. */
  refuseUnwanted(): void {
    this.#waiters = this.#waiters.filter((waiter) => {
      const error = waiter.refuse?.();
      if (error !== undefined) waiter.fail(error);
      return error === undefined;
    });
  }

  /** Fails all waiting queries. */
  failWaiting(makeError: () => Error): void {
    for (const { fail } of this.#waiters.splice(0)) fail(makeError());
  }

  /** Rejects new queries, and ends the sessions when the others have ended or `timeout` seconds have passed. */
  async end({ timeout }: { readonly timeout?: number } = {}): Promise<void> {
    this.#isEnding = true;
    clearTimeout(this.#idleTimer);
    const destroy = (): void => {
      this.failWaiting(ended);
      for (const session of this.#sessions) session.drop(ended());
    };
    const timer = timeout === undefined ? undefined : setTimeout(destroy, timeout * 1000);
    this.#endIdle();
    await this.#isEmpty.promise;
    await Promise.all(this.#closing);
    clearTimeout(timer);
  }

  /** While the pool is ending, ends the sessions that no query needs any more. */
  #endIdle(): void {
    if (!this.#isEnding || this.#waiters.length > 0) return;
    for (const session of this.#sessions) if (session.isIdle) this.#closing.push(session.end());
    if (this.#sessions.size === 0) this.#isEmpty.resolve();
  }

  #wait(waiter: Waiter): void {
    this.#waiters.push(waiter);
    this.#grow();
  }

  /** Returns a session that can take a query. */
  #free(isAlone: boolean): Session | undefined {
    if (this.#pipelined > 1 && !isAlone) {
      const now_ms = performance.now();
      for (const session of this.#sessions) if (this.#takesMore(session, now_ms)) return session;
    }
    for (const session of this.#sessions) if (session.isIdle) return session;
    return undefined;
  }

  #takesMore({ inFlight, isHeld, isOld, since_ms }: Session, now_ms: number): boolean {
    if (inFlight === 0 || inFlight >= this.#pipelined || isHeld || isOld) return false;
    return now_ms - since_ms < SHORT_ms;
  }

  /** Opens as many sessions as the waiting queries need. */
  #grow(): void {
    let opening = 0;
    for (const { isOpening } of this.#sessions) if (isOpening) opening += 1;
    const wanted = Math.ceil(this.#waiters.length / this.#pipelined);
    for (; opening < wanted && this.#sessions.size < this.max; opening += 1) void this.#open();
  }

  async #open(): Promise<void> {
    const { address, settings = {}, connect_ms, rewrite } = this.options;
    const wire = { target: this.#target, address, settings };
    const session = new Session(wire, {
      rewrite,
      freed: (one) => this.#freed(one),
      ended: (one, error) => this.#ended(one, error),
    });
    this.#sessions.add(session);
    try {
      await session.open(this.#retry_ms - performance.now(), connect_ms);
      this.#freed(session);
    } catch (error) {
      this.#cannotOpen(asError(error));
    }
  }

  /** Fails the query that the session was for. If there is no other session, the others would only wait for the same. */
  #cannotOpen(error: Error): void {
    const target = withoutTls(this.#target, error);
    if (target !== undefined) {
      this.#target = target;
      this.#grow();
      return;
    }
    const isAlone = [...this.#sessions].every(({ isOpening }) => isOpening);
    for (const { fail } of this.#waiters.splice(0, isAlone ? Infinity : 1)) fail(error);
    this.#grow();
    this.#endIdle();
  }

  #freed(session: Session): void {
    if (session.isIdle && session.isOld) void session.end();
    this.#dispatch();
    if (session.isIdle) this.#noteUse();
    this.#endIdle();
  }

  #ended(session: Session, error: Error): void {
    if (!this.#sessions.delete(session)) return;
    const isOurs = error instanceof ConnectionError && error.code === "CONNECTION_ENDED";
    if (!isOurs) this.#retry_ms = performance.now() + RECONNECT_AFTER_ms;
    if (!session.isOpening) this.#grow();
    this.#endIdle();
  }

  #dispatch(): void {
    for (let [next] = this.#waiters; next !== undefined; [next] = this.#waiters) {
      const error = next.refuse?.();
      const session = error === undefined ? this.#free(next.isAlone) : undefined;
      if (error === undefined && session === undefined) break;
      this.#waiters.shift();
      if (error !== undefined) next.fail(error);
      else if (session !== undefined) next.start(session);
    }
    this.#grow();
  }

  #noteUse(): void {
    this.#used_ms = performance.now();
    const { idle_ms } = this.options;
    if (idle_ms !== undefined) this.#idleTimer ??= this.#endUnused(idle_ms, idle_ms);
  }

  /** Ends the sessions once the pool has not been used for `idle_ms`. */
  #endUnused(idle_ms: number, after_ms: number): NodeJS.Timeout {
    return setTimeout(() => {
      const left_ms = this.#used_ms + idle_ms - performance.now();
      this.#idleTimer = left_ms > 0 ? this.#endUnused(idle_ms, left_ms) : undefined;
      if (left_ms > 0) return;
      for (const session of this.#sessions) if (session.isIdle) void session.end();
    }, after_ms).unref();
  }
}
