/** A statement or copy that is sent to PostgreSQL, from the moment it is submitted until it has ended. */

import { asConnectionError } from "./connection-error.ts";
import { type Client, DriverQuery } from "./driver.ts";

/** Called when a query has ended, before the code that awaits it continues. Receives the error if the query failed. */
export type EndListener = (error?: Error) => void;

export abstract class Query extends DriverQuery {
  /** Returns an error if a waiting query is no longer needed. Set by the handle through which the query is submitted. */
  refuse: (() => Error | undefined) | undefined = undefined;
  #client: Client | undefined = undefined;
  #listeners: EndListener[] = [];
  #hasEnded = false;

  /** The parameters. */
  readonly values: readonly unknown[];

  constructor(text: string, values: readonly unknown[] = []) {
    super({ text });
    this.values = values;
  }

  /** Whether the query writes nothing and can therefore be abandoned while it is running. */
  get isRead(): boolean {
    return this.text.trimStart().startsWith("select");
  }

  sendOn(client: Client): void {
    this.#client = client;
    client.query(this);
  }

  protected sendAgain(): void {
    this.#client?.query(this);
  }

  /** Adds a listener. The last one is called first, so that a query leaves its connection before it leaves its slot. */
  onEnd(listener: EndListener): void {
    this.#listeners.push(listener);
  }

  /** Rejects the result. A query that has been sent does not end, because its connection remains in use. */
  abstract abandon(error: Error): void;

  /** Ends the query with an error. */
  fail(error: Error): void {
    if (this.end(error)) this.abandon(error);
  }

  /** Called by the driver when the query or its connection has failed. */
  handleError(error: Error): void {
    this.fail(asConnectionError(error));
  }

  /** Calls the listeners. Returns false if the query had already ended. */
  protected end(error?: Error): boolean {
    if (this.#hasEnded) return false;
    this.#hasEnded = true;
    for (const listener of this.#listeners.toReversed()) listener(error);
    return true;
  }
}
