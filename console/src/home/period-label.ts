/** Axis labels of periods. */

import { locale } from "../text/index.ts";
import type { Interval } from "./range.ts";

const DAY = new Intl.DateTimeFormat(locale, { day: "numeric", month: "short", timeZone: "UTC" });
const MONTH = new Intl.DateTimeFormat(locale, { month: "short", year: "2-digit", timeZone: "UTC" });

/** The month of a monthly period, otherwise the first day. */
export const periodLabel = (period: string, interval: Interval): string =>
  (interval === "month" ? MONTH : DAY).format(new Date(`${period}T00:00:00Z`));
