/**
 * The time ranges of the home page's charts, and the periods in each range. Days are formatted as
 * YYYY-MM-DD.
 */

export const RANGES = ["week", "month", "quarter", "year"] as const;

export type Range = (typeof RANGES)[number];

export type Interval = "day" | "week" | "month";

interface Span {
  readonly days: number;
  readonly interval: Interval;
}

const SPANS: Readonly<Record<Range, Span>> = {
  week: { days: 7, interval: "day" },
  month: { days: 30, interval: "day" },
  quarter: { days: 91, interval: "week" },
  year: { days: 365, interval: "month" },
};

export const isRange = (text: unknown): text is Range => RANGES.includes(text as Range);

/** Returns the day on which a time falls in a time zone (IANA name). */
export const dayIn = (timezone: string, at: Date): string =>
  new Intl.DateTimeFormat("en-CA", { timeZone: timezone, dateStyle: "short" }).format(at);

/** Returns the day that is `days` days after the given day. */
export function daysAfter(day: string, days: number): string {
  const at = new Date(`${day}T00:00:00Z`);
  at.setUTCDate(at.getUTCDate() + days);
  return at.toISOString().slice(0, 10);
}

/** Returns the first day of the period that contains a day. Weeks start on Monday. */
export function periodOf(day: string, interval: Interval): string {
  if (interval === "month") return `${day.slice(0, 7)}-01`;
  if (interval === "day") return day;
  const weekday = (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7;
  return daysAfter(day, -weekday);
}

const nextPeriod = (period: string, interval: Interval): string => {
  if (interval === "month") return periodOf(daysAfter(period, 32), "month");
  return daysAfter(period, interval === "week" ? 7 : 1);
};

export interface Periods {
  readonly interval: Interval;
  /** The first day of each period, oldest first. */
  readonly starts: readonly string[];
}

/** Returns the periods in a range that ends today. */
export function periodsOf(range: Range, today: string): Periods {
  const { days, interval } = SPANS[range];
  const starts: string[] = [];
  const first = periodOf(daysAfter(today, 1 - days), interval);
  for (let period = first; period <= today; period = nextPeriod(period, interval)) {
    starts.push(period);
  }
  return { interval, starts };
}

const DAY_s = 86_400;

/**
 * Returns the first second of the first period as a `start_date`. Usually it is midnight in the time zone, but a day can
 * also start later because of daylight saving time.
 */
export function startOf({ starts }: Periods, timezone: string): string {
  const first = starts[0] as string;
  const isBefore = (at_s: number): boolean => dayIn(timezone, new Date(at_s * 1000)) < first;
  const midnight_s = Date.parse(`${first}T00:00:00Z`) / 1000;
  // Every time zone is less than a day from UTC.
  let before_s = midnight_s - DAY_s;
  let start_s = midnight_s + DAY_s;
  while (start_s - before_s > 1) {
    const middle_s = Math.floor((before_s + start_s) / 2);
    if (isBefore(middle_s)) before_s = middle_s;
    else start_s = middle_s;
  }
  return `${new Date(start_s * 1000).toISOString().slice(0, 19)}Z`;
}
