/** Determines which timestamps are shown with a time, and which only as a date. */

import { date, dateTime } from "../ui/format/index.ts";

/** Fields for which the time of day matters. */
const WITH_TIME = new Set([
  "due_date",
  "completed_date",
  "created_ts",
  "updated_ts",
  "status_update_date",
  "timestamp",
]);

export const hasTime = (name: string): boolean => WITH_TIME.has(name);

/** Formats a timestamp in epoch seconds. */
export const momentText = (name: string, at_s: number): string =>
  hasTime(name) ? dateTime(at_s) : date(at_s);
