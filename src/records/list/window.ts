/** start_date and end_date → the span of seconds that a list selects. */

import { ValidationError } from "../../platform/errors/index.ts";
import { type Given, type Parameters, valueError } from "../../platform/validation/index.ts";
import type { Listing } from "../types/index.ts";

/** The two dates of a list. */
export const DATE_PARAMETERS = {
  start_date: {
    kind: "instant",
    description: "The first second, in UTC: YYYY-MM-DDTHH:MM:SSZ or YYYY-MM-DD.",
  },
  end_date: {
    kind: "instant",
    description: "The last second, in UTC: YYYY-MM-DDTHH:MM:SSZ or YYYY-MM-DD.",
  },
} as const satisfies Parameters;

/** Whole epoch seconds, both inclusive; an end that is not there does not bound. */
export interface Span {
  readonly from?: number;
  readonly to?: number;
}

const HOUR_s = 3600;

type Dates = Partial<Given<typeof DATE_PARAMETERS>>;

/** The span between two dates. Throws where it ends before it starts. */
export function spanBetween({ start_date: start, end_date: end }: Dates): Span {
  if (start !== undefined && end !== undefined && start > end) {
    const fault = valueError("start_date must not be after end_date");
    throw new ValidationError([{ loc: ["query", "start_date"], input: start, ...fault }]);
  }
  return { ...(start !== undefined && { from: start }), ...(end !== undefined && { to: end }) };
}

/**
 * From where the next poll of a window begins, so that the two miss nothing between them: no later
 * than the settled moment, before which no record can still commit, nor than this window's end. While
 * no moment is settled, this window's beginning.
 */
export const nextStart = ({ from = 0, to = Infinity }: Span, settled_s: number): number =>
  Math.min(settled_s > 0 ? settled_s : from, to);

/** The span that a list covers at the moment `now_s`; a window has an end, and a beginning. */
export function spanOf({ windowHours }: Listing, dates: Dates, now_s: number): Span {
  const span = spanBetween(dates);
  return windowHours === undefined
    ? span
    : { from: now_s - windowHours * HOUR_s, to: now_s, ...span };
}
