/** Filters in the syntax of MongoDB, as SQL. */

export type { KeyLookUp } from "./filter-places.ts";
export { compileFilter } from "./filter.ts";
export { compileMatching, matchingIds } from "./match.ts";
