/** Time and time limits. */

export { type Clock, epochSeconds, isoSeconds, systemClock } from "./clock.ts";
export { within } from "./within.ts";
