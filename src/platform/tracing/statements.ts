/** Spans of database statements: operation, time and SQL text, but never values. */

import { errorTypeOf, type Span } from "./span.ts";

interface TracedQuery {
  readonly text: string;
  /** Adds a function that is called when the query has ended, with the error if it failed. */
  readonly onEnd: (listener: (error?: Error) => void) => void;
}

const TEXT_MAX = 500;

/** Starts the span of a statement that is about to be sent. It ends when the statement completes. */
export function traceStatement(query: TracedQuery, parent: Span): void {
  const text = query.text.slice(0, TEXT_MAX).replaceAll(/\s+/g, " ").trim();
  const [operation = "statement"] = text.toUpperCase().match(/^\w+/) ?? [];
  const span = parent.start(operation, {
    kind: "client",
    attributes: {
      "db.system.name": "postgresql",
      "db.operation.name": operation,
      "db.query.text": text,
    },
  });
  query.onEnd((error) => {
    // The error type is an SQLSTATE or a connection error code.
    if (error !== undefined) span.fail(errorTypeOf(error));
    span.end();
  });
}
