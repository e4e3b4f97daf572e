/** The selectable time ranges, in the user's time zone. */

import type { AnalyticsSearch, RangeName } from "../partner/index.ts";
import { dayOf, spanOf, type Span } from "../../ui/days/index.ts";

const dayAt = (year: number, month: number, day: number): string =>
  dayOf(new Date(year, month, day).getTime() / 1000);

/** Returns a range that starts on the first day of a month. */
const since = (year: number, month: number): Span => spanOf({ from: dayAt(year, month, 1) });

const monthSpan = (year: number, month: number): Span =>
  spanOf({ from: dayAt(year, month, 1), to: dayAt(year, month + 1, 0) });

const MONTHS_OF_QUARTER = 3;

/** Returns the dates of a named range. `today` can be any time on the user's current day. */
export function spanOfRange(
  { range = "this_month", from, to }: AnalyticsSearch,
  today: Date,
): Span {
  const year = today.getFullYear();
  const month = today.getMonth();
  const spans: Readonly<Record<RangeName, () => Span>> = {
    this_month: () => since(year, month),
    last_month: () => monthSpan(year, month - 1),
    quarter: () => since(year, month - (month % MONTHS_OF_QUARTER)),
    year: () => since(year, 0),
    all: () => ({}),
    custom: () => spanOf({ from, to }),
  };
  return spans[range]();
}

export interface Month {
  readonly first: Date;
  readonly span: Span;
}

/** Returns the most recent months, including the current one, oldest first. */
export const lastMonths = (count: number, today: Date): readonly Month[] =>
  Array.from({ length: count }, (_, at) => {
    const first = new Date(today.getFullYear(), today.getMonth() - (count - 1 - at), 1);
    return { first, span: monthSpan(first.getFullYear(), first.getMonth()) };
  });
