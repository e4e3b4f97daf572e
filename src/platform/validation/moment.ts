/** A moment in a body: epoch seconds, or ISO 8601 in UTC. */

import type { Json } from "../json/index.ts";
import { readInstant } from "./parameters.ts";
import { valueError, type Fault } from "./validation.ts";

/** From here on a number is milliseconds. */
const EPOCH_END = 1e11;

/** Epoch seconds of a moment that may be given as a number or in ISO 8601. */
export const momentOf = (value: Json): number | undefined =>
  typeof value === "number" ? value : typeof value === "string" ? readInstant(value) : undefined;

/** What is wrong with a moment that has to lie ahead; nothing where none is given. */
export function futureFaults(value: Json, now_s: number): readonly Fault[] {
  if (typeof value !== "number" && typeof value !== "string") return [];
  const moment = momentOf(value);
  if (moment === undefined)
    return [valueError("an ISO date is YYYY-MM-DDTHH:MM:SSZ or YYYY-MM-DD")];
  if (moment >= EPOCH_END) return [valueError("an epoch time is in seconds, this is milliseconds")];
  return moment > now_s ? [] : [valueError("this lies in the past")];
}
