/** Filters in the syntax of MongoDB, as SQL. */

export { compileFilter } from "./filter.ts";
export { compileMatching, matchingIds } from "./match.ts";
export type { KeyLookUp } from "./places.ts";
