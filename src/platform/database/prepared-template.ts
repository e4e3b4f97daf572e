/** Statements that are put together once, and not anew for each record. */

import type { Sql } from "sql-template-tag";

/** Makes the statement for what is given. */
export type Compose<G> = (given: G) => Pick<Sql, "text" | "values">;

/** A statement whose text never changes; values that are functions are called with what is given. */
export const composed =
  ({ text, values }: Sql): Compose<object> =>
  (given) => ({
    text,
    values: values.map((value) =>
      typeof value === "function" ? (value as (given: object) => unknown)(given) : value,
    ),
  });
