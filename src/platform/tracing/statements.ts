/** The spans of database statements: operation, time and our text of them, never a value. */

import { errorTypeOf, type Span } from "./span.ts";

export interface SentQuery {
  resolve: (result: unknown) => void;
  reject: (error: Error) => void;
  /** The text around the values; of a composed query all of it. */
  readonly strings: readonly string[];
}

const TEXT_MAX = 500;

/** Starts the span of a statement that is about to be sent; it ends when the statement is done. */
export function traceStatement(query: SentQuery, parent: Span): void {
  const text = query.strings.join("?").slice(0, TEXT_MAX).replaceAll(/\s+/g, " ").trim();
  const [operation = "statement"] = text.toUpperCase().match(/^\w+/) ?? [];
  const span = parent.start(operation, {
    kind: "client",
    attributes: {
      "db.system.name": "postgresql",
      "db.operation.name": operation,
      "db.query.text": text,
    },
  });
  beforeSettled(query, (error) => {
    // An SQLSTATE, or how the connection failed.
    if (error !== undefined) span.fail(errorTypeOf(error));
    span.end();
  });
}

/**
 * Calls `before` when a query is settled, and before the code that awaits it continues; with the error if it failed.
 *
 * The functions are assigned by way of variables. V8 allocates a function that is written where it is
 * assigned to a property among the old objects. There it keeps all that it reaches, such as the rows of the
 * result, until the next major collection.
 */
export function beforeSettled(query: SentQuery, before: (error?: Error) => void): void {
  const { resolve, reject } = query;
  const settle = (result: unknown): void => {
    before();
    resolve(result);
  };
  const fail = (error: Error): void => {
    before(error);
    reject(error);
  };
  query.resolve = settle;
  query.reject = fail;
}
