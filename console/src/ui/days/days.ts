/** Days as in URLs and date inputs, `2026-11-21`, in the user's time zone. */

/** A range of days, including the first and the last day. A missing day makes the range open-ended. */
export interface Days {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** The range as parameters of a list request, in UTC. */
export interface Span {
  readonly start_date?: string;
  readonly end_date?: string;
}

/** Returns the value if it is a valid day; otherwise undefined. */
export const readDay = (value: unknown): string | undefined =>
  typeof value === "string" && /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value))
    ? value
    : undefined;

const two = (part: number): string => String(part).padStart(2, "0");

/** Returns the day of a timestamp in epoch seconds. */
export function dayOf(at_s: number): string {
  const at = new Date(at_s * 1000);
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}

/**
 * Whether a date in epoch seconds is over. A date without a time is the start of its day, so a date is over only when its
 * day is.
 */
export const isOver = (at_s: number, now_s: number = Date.now() / 1000): boolean =>
  at_s < startOfDay(dayOf(now_s));

export const today = (): string => dayOf(Date.now() / 1000);

/** Returns the start of a day, or of the day `later` days after it, in epoch seconds. */
export function startOfDay(day: string, later = 0): number {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  return Math.floor(new Date(year, month - 1, date + later).getTime() / 1000);
}

/** Returns the last second of a day, in epoch seconds. */
export const endOfDay = (day: string): number => startOfDay(day, 1) - 1;

const isoOf = (at_s: number): string => `${new Date(at_s * 1000).toISOString().slice(0, 19)}Z`;

/** Returns the first and last second of a range of days. */
export const spanOf = ({ from, to }: Days): Span => ({
  ...(from !== undefined && { start_date: isoOf(startOfDay(from)) }),
  ...(to !== undefined && { end_date: isoOf(endOfDay(to)) }),
});
