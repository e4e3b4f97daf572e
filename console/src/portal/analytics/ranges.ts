/** The spans of time that can be chosen, in the person's calendar. */

import { dayOf, endOf, startOf } from "../days.ts";
import type { AnalyticsSearch, RangeName } from "../search.ts";

/** As the service asks for it; open where an end is missing. */
export interface Span {
  readonly start_date?: string;
  readonly end_date?: string;
}

const firstOf = (year: number, month: number): string => dayOf(new Date(year, month, 1));
const lastOf = (year: number, month: number): string => dayOf(new Date(year, month + 1, 0));

const MONTHS_OF_QUARTER = 3;

/** The span of a named range; `today` is a moment of the person's day. */
export function spanOf({ range = "this_month", from, to }: AnalyticsSearch, today: Date): Span {
  const [year, month] = [today.getFullYear(), today.getMonth()];
  const spans: Readonly<Record<RangeName, () => Span>> = {
    this_month: () => ({ start_date: startOf(firstOf(year, month)) }),
    last_month: () => monthSpan(year, month - 1),
    quarter: () => ({ start_date: startOf(firstOf(year, month - (month % MONTHS_OF_QUARTER))) }),
    year: () => ({ start_date: startOf(firstOf(year, 0)) }),
    all: () => ({}),
    custom: () => ({
      ...(from !== undefined && { start_date: startOf(from) }),
      ...(to !== undefined && { end_date: endOf(to) }),
    }),
  };
  return spans[range]();
}

const monthSpan = (year: number, month: number): Span => ({
  start_date: startOf(firstOf(year, month)),
  end_date: endOf(lastOf(year, month)),
});

export interface Month {
  readonly first: Date;
  readonly span: Span;
}

/** The last months up to the present one, oldest first. */
export const lastMonths = (count: number, today: Date): readonly Month[] =>
  Array.from({ length: count }, (_, at) => {
    const first = new Date(today.getFullYear(), today.getMonth() - (count - 1 - at), 1);
    return { first, span: monthSpan(first.getFullYear(), first.getMonth()) };
  });
