/** The error of queries that PostgreSQL canceled. */

import { ValidationError } from "../../platform/errors/index.ts";
import { isTooCostly } from "../../platform/failed-statements/index.ts";

const ADVICE = "filter on fewer fields, without $regex or $not, or sort by _id";

/** Converts the error of a canceled slow query to a validation error with advice. Returns other errors unchanged. */
export function asTooSlow(error: unknown, advice = ADVICE): unknown {
  if (!isTooCostly(error)) return error;
  const msg = `Value error, this query takes too long: ${advice}`;
  return new ValidationError([
    { type: "value_error", loc: ["query", "match_filter_dict"], msg, input: null },
  ]);
}
