/** The time span, in seconds, that start_date and end_date select. */

import { ValidationError } from "../../platform/errors/index.ts";
import { type Given, type Parameters, valueError } from "../../platform/validation/index.ts";
import type { Listing } from "../types/index.ts";

/** The date parameters of a list. */
export const DATE_PARAMETERS = {
  start_date: {
    kind: "instant",
    description: "Start of the range (inclusive), in UTC: YYYY-MM-DDTHH:MM:SSZ or YYYY-MM-DD.",
  },
  end_date: {
    kind: "instant",
    description: "End of the range (inclusive), in UTC: YYYY-MM-DDTHH:MM:SSZ or YYYY-MM-DD.",
  },
} as const satisfies Parameters;

/**
 * A range in whole epoch seconds. Both ends are inclusive. If an end is missing, the range is unbounded on that side.
 */
export interface Span {
  readonly from?: number;
  readonly to?: number;
}

const HOUR_s = 3600;

type Dates = Partial<Given<typeof DATE_PARAMETERS>>;

/** Returns the span between two dates. Throws if it ends before it starts. */
export function spanBetween({ start_date: start, end_date: end }: Dates): Span {
  if (start !== undefined && end !== undefined && start > end) {
    const fault = valueError("start_date must not be after end_date");
    throw new ValidationError([{ loc: ["query", "start_date"], input: start, ...fault }]);
  }
  return { ...(start !== undefined && { from: start }), ...(end !== undefined && { to: end }) };
}

/**
 * Returns the start_date for the next poll of a window, so that no record is skipped. It is no later than the settled
 * time, before which no more records can be committed, and no later than the end of this window. If the settled time is
 * not known yet, it is the start of this window.
 */
export const nextStart = ({ from = 0, to = Infinity }: Span, settled_s: number): number =>
  Math.min(settled_s > 0 ? settled_s : from, to);

/** Returns the span that a list covers at time `now_s`. Windows always have a start and an end. */
export function spanOf({ windowHours }: Listing, dates: Dates, now_s: number): Span {
  const span = spanBetween(dates);
  return windowHours === undefined
    ? span
    : { from: now_s - windowHours * HOUR_s, to: now_s, ...span };
}
