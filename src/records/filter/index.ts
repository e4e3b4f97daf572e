/** Filters in MongoDB's syntax, compiled to SQL. */

export { compileFilter } from "./filter.ts";
export { compileMatching, matchingIds } from "./match.ts";
export type { KeyLookup } from "./to-sql.ts";
