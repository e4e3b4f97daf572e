/** Formats periods as axis labels. */

import { locale } from "../text/index.ts";
import { month } from "../ui/format/index.ts";
import type { Interval } from "./range.ts";

const DAY = new Intl.DateTimeFormat(locale, { day: "numeric", month: "short", timeZone: "UTC" });

/** Returns the month for monthly periods, otherwise the first day. */
export const periodLabel = (period: string, interval: Interval): string => {
  const start = new Date(`${period}T00:00:00Z`);
  return interval === "month" ? month(start, "UTC") : DAY.format(start);
};
