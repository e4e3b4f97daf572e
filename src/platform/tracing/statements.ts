/** Spans of database statements: operation, time and SQL text, but never values. */

import { errorTypeOf, type Span } from "./span.ts";

export interface SentQuery {
  resolve: (result: unknown) => void;
  reject: (error: Error) => void;
  /** The pieces of the statement's text between its values. A composed query consists of a single piece. */
  readonly strings: readonly string[];
}

const TEXT_MAX = 500;

/** Starts the span of a statement that is about to be sent. It ends when the statement completes. */
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
    // The error type is an SQLSTATE or a connection error code.
    if (error !== undefined) span.fail(errorTypeOf(error));
    span.end();
  });
}

/**
 * Calls `before` when a query settles, before the awaiting code continues. Passes the error if the query failed.
 *
 * The functions are assigned through variables. If a function literal is assigned directly to a property, V8 allocates
 * it in the old generation. It then keeps everything that it references, such as the rows of the result, alive until
 * the next major collection.
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
