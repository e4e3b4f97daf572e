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

/**
 * Returns a `start_date` that covers all periods. It is one day early, because it is a day in UTC, and days may start
 * earlier in the tenant's time zone.
 */
export const startOf = ({ starts }: Periods): string => daysAfter(starts[0] as string, -1);
