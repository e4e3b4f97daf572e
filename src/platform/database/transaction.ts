/** Transactions and their savepoints. */

import { currentSpan } from "../admission/index.ts";
import { ABORTED, DatabaseError, type Query, type Session, StatementQuery } from "../pool/index.ts";
import { traceStatement } from "../tracing/index.ts";
import type { Tx } from "./tx.ts";

type EndListener = (isCommitted: boolean) => void;

/** The error code of statements of a transaction that has been committed or rolled back. */
export const TRANSACTION_ENDED = "TRANSACTION_ENDED";

/** The parts of a transaction share its session. */
interface Whole {
  readonly session: Session;
  savepoints: number;
  hasEnded: boolean;
}

class Transaction implements Tx {
  readonly isTransaction = true;
  readonly #whole: Whole;
  #listeners: EndListener[] = [];
  /** The first error of a statement. PostgreSQL then rejects all others. */
  #failure: Error | undefined;

  constructor(whole: Whole) {
    this.#whole = whole;
  }

  submit(query: Query): void {
    const span = currentSpan();
    if (span !== undefined) traceStatement(query, span);
    this.#send(query);
  }

  #send(query: Query): void {
    if (this.#whole.hasEnded) {
      query.fail(endedError());
      return;
    }
    query.onEnd((error) => void (this.#failure ??= error));
    this.#whole.session.send(query);
  }

  onEnd(listener: EndListener): void {
    this.#listeners.push(listener);
  }

  async savepoint<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    const name = `part${(this.#whole.savepoints += 1)}`;
    await this.#control(`savepoint ${name}`);
    const part = new Transaction(this.#whole);
    try {
      const result = await part.#complete(work);
      // The outcome of a part is known only when the whole transaction ends.
      this.#listeners.push(...part.#listeners);
      return result;
    } catch (error) {
      const rolledBack = this.#control(`rollback to ${name}`);
      part.#tell(false);
      await rolledBack;
      throw error;
    }
  }

  /** Runs a whole transaction. */
  async run<T>(mode: string, work: (tx: Tx) => Promise<T>): Promise<T> {
    await this.#control(`begin ${mode}`);
    try {
      const result = await this.#complete(work);
      await this.#control("commit", true);
      // PostgreSQL rolls back instead if a statement has failed that the work did not wait for.
      if (this.#failure !== undefined) throw this.#failure;
      this.#tell(true);
      return result;
    } catch (error) {
      if (!this.#whole.hasEnded) await this.#control("rollback", true).catch(() => undefined);
      this.#tell(false);
      throw this.#whole.session.lost ?? error;
    }
  }

  /** Runs the work. Throws the error of the first failed statement, even if the work has caught it. */
  async #complete<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    let result: T;
    try {
      result = await work(this);
    } catch (error) {
      const isAborted = error instanceof DatabaseError && error.code === ABORTED;
      throw (isAborted && this.#failure) || error;
    }
    if (this.#failure !== undefined) throw this.#failure;
    return result;
  }

  #control(text: string, isLast = false): Promise<unknown> {
    const query = new StatementQuery({ text, values: [] });
    this.#send(query);
    this.#whole.hasEnded ||= isLast;
    return query.result;
  }

  #tell(isCommitted: boolean): void {
    for (const listener of this.#listeners) listener(isCommitted);
  }
}

/** Runs `work` in a transaction of a session that no one else uses. */
export const runTransaction = <T>(
  session: Session,
  mode: string,
  work: (tx: Tx) => Promise<T>,
): Promise<T> => new Transaction({ session, savepoints: 0, hasEnded: false }).run(mode, work);

const endedError = (): Error =>
  Object.assign(new Error("The transaction has already ended"), { code: TRANSACTION_ENDED });
