/** Timestamps in bodies: epoch seconds, or ISO 8601 in UTC. */

import type { Json } from "../json/index.ts";
import { readInstant } from "./parameters.ts";
import { valueError, type Fault } from "./validation.ts";

/** The limit above which a number is assumed to be in milliseconds instead of seconds. */
const EPOCH_END = 1e11;

/** Converts a number or an ISO 8601 string to epoch seconds. Returns undefined if the value is neither. */
export const momentOf = (value: Json): number | undefined =>
  typeof value === "number" ? value : typeof value === "string" ? readInstant(value) : undefined;

/** Checks a timestamp. Ignores values of other types. */
export function momentFaults(value: Json): readonly Fault[] {
  if (typeof value === "string" && momentOf(value) === undefined)
    return [valueError("an ISO date must be YYYY-MM-DDTHH:MM:SSZ or YYYY-MM-DD")];
  if (typeof value === "number" && value >= EPOCH_END)
    return [valueError("an epoch time must be in seconds, not in milliseconds")];
  return [];
}

/** Checks a timestamp that must be in the future. Ignores values of other types. */
export function futureFaults(value: Json, now_s: number): readonly Fault[] {
  const moment = momentOf(value);
  const faults = momentFaults(value);
  if (moment === undefined || faults.length > 0) return faults;
  return moment > now_s ? [] : [valueError("this must be in the future")];
}
