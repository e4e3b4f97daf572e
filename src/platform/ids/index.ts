/** Ids, which contain the time of their creation. */

export { firstIdAt, ID_PATTERN, idIn, idSource, isId, type MakeId } from "./ids.ts";
