/** Time, ids, timeouts and caches. */

export { createMemory, type Memory, once, remember } from "./cache.ts";
export { type Clock, epochSeconds, isoSeconds, systemClock } from "./clock.ts";
export { firstIdAt, ID_PATTERN, idIn, idSource, isId, type MakeId } from "./ids.ts";
export { within } from "./within.ts";
