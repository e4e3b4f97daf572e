/** The spans of database statements: operation, time and our text of them, never a value. */

import { beforeSettled, type SettledQuery } from "./settled-query.ts";
import { errorTypeOf, type Span } from "./span.ts";

export interface SentQuery extends SettledQuery {
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
