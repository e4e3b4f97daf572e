/** A session on the server, from the attempt to connect until its end. A session is never reused after an error. */

import { setTimeout as delay } from "node:timers/promises";
import { asConnectionError, ConnectionError, endsSession, lostBy } from "./connection-error.ts";
import { DriverClient, type Client } from "./driver.ts";
import type { Query } from "./query.ts";
import { Wire, type WireOptions } from "./wire.ts";
import { asError } from "../errors/index.ts";

/** A connection is used for between one and two times this long, so that not all are replaced at once. */
const LIFETIME_ms = 30 * 60_000;

const CONNECT_MAX_ms = 10_000;
/** If the server does not close the connection within this time, it is destroyed. */
const CLOSING_MAX_ms = 1_000;

/** Receives the events of a session. */
export interface SessionOwner {
  /** Changes the text of each query before it is sent. */
  readonly rewrite?: ((text: string) => string) | undefined;
  /** Called when the session can run another query. */
  readonly freed: (session: Session) => void;
  /** Called once, when the session has ended. */
  readonly ended: (session: Session, error: Error) => void;
}

export class Session {
  readonly #client: Client;
  readonly #wire: Wire;
  readonly #owner: SessionOwner;
  readonly #connecting = new AbortController();
  readonly #closed = Promise.withResolvers<void>();
  readonly #until_ms = performance.now() + LIFETIME_ms * (1 + Math.random());
  #lost: Error | undefined;
  #hasConnected = false;
  isOpening = true;
  /** Whether a transaction or a caller uses the session alone. */
  isHeld = false;
  /** The number of queries that have been sent and have not ended. */
  inFlight = 0;
  /** When the running query was sent or the previous one ended, whichever is later. */
  since_ms = 0;

  constructor(options: WireOptions, owner: SessionOwner) {
    const { target } = options;
    this.#owner = owner;
    this.#wire = new Wire(options);
    this.#client = new DriverClient({ ...target, connection: this.#wire, pipeline: true });
    this.#client.on("error", (error: Error) => {
      this.#lose(lostBy(error));
      this.#wire.stream.destroy();
    });
    this.#client.on("end", () => {
      this.#lose(closed());
      this.#closed.resolve();
    });
  }

  /** The error because of which the session ended. */
  get lost(): Error | undefined {
    return this.#lost;
  }

  /** Increases whenever the server sends data. */
  get heard(): number {
    return this.#wire.heard;
  }

  /** Whether the server must respond next. */
  get isExpecting(): boolean {
    return this.isOpening || this.inFlight > 0;
  }

  get isIdle(): boolean {
    return !this.isOpening && !this.isHeld && this.inFlight === 0;
  }

  get isOld(): boolean {
    return performance.now() > this.#until_ms;
  }

  /** Connects after `wait_ms`. Throws if that fails or takes longer than `limit_ms`. */
  async open(wait_ms: number, limit_ms = CONNECT_MAX_ms): Promise<void> {
    const { signal } = this.#connecting;
    if (wait_ms > 0) await delay(wait_ms, undefined, { signal }).catch(() => undefined);
    if (this.#lost !== undefined) throw this.#lost;
    this.#hasConnected = true;
    const timer = setTimeout(() => this.drop(timedOut()), limit_ms);
    try {
      await new Promise<void>((resolve, reject) => {
        this.#client.connect((error) => (error === null ? resolve() : reject(error)));
      });
      this.isOpening = false;
    } catch (error) {
      this.#lose(asConnectionError(asError(error)));
      this.#wire.stream.destroy();
      throw this.#lost ?? error;
    } finally {
      clearTimeout(timer);
    }
  }

  send(query: Query): void {
    if (this.#lost !== undefined) {
      query.fail(this.#lost);
      return;
    }
    if (this.inFlight === 0) this.since_ms = performance.now();
    this.inFlight += 1;
    query.onEnd((error) => {
      this.inFlight -= 1;
      this.since_ms = performance.now();
      if (error !== undefined && endsSession(error)) this.#lose(lostBy(error));
      this.#owner.freed(this);
    });
    const { rewrite } = this.#owner;
    if (rewrite !== undefined) query.text = rewrite(query.text);
    query.sendOn(this.#client);
  }

  onNotification(listener: () => void): void {
    this.#client.on("notification", () => listener());
  }

  /** Ends the session at once. Its queries fail with the error. */
  drop(error: Error): void {
    this.#connecting.abort();
    // Before the driver has connected, it does not listen for the error.
    this.#wire.stream.destroy(this.#hasConnected ? error : undefined);
    this.#lose(error);
  }

  /** Ends an idle session. */
  async end(): Promise<void> {
    if (this.#lost !== undefined) return;
    this.#lose(ended());
    void this.#client.end();
    const timer = setTimeout(() => this.#wire.stream.destroy(), CLOSING_MAX_ms);
    await this.#closed.promise;
    clearTimeout(timer);
  }

  #lose(error: Error): void {
    if (this.#lost !== undefined) return;
    this.#lost = error;
    this.#owner.ended(this, error);
  }
}

const closed = (): Error =>
  new ConnectionError("CONNECTION_CLOSED", "The database closed the connection");

const timedOut = (): Error =>
  new ConnectionError("CONNECT_TIMEOUT", "Connecting to the database took too long");

export const ended = (): Error =>
  new ConnectionError("CONNECTION_ENDED", "The connection to the database has been closed");
