/** The spans of database statements: operation, time and our text of them, never a value. */

import { errorTypeOf, type Span } from "./span.ts";

/** What the driver's query shows of itself. */
export interface SentQuery {
  /** The text around the values; of a composed query all of it. */
  readonly strings: readonly string[];
  resolve: (result: unknown) => void;
  reject: (error: Error) => void;
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
  const { resolve, reject } = query;
  query.resolve = (result) => {
    span.end();
    resolve(result);
  };
  query.reject = (error) => {
    // An SQLSTATE, or how the connection failed.
    span.fail(errorTypeOf(error));
    span.end();
    reject(error);
  };
}
