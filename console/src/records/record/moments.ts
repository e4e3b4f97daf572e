/** Which moments are shown with their time, and which as a day. */

import { date, dateTime } from "../../ui/format/index.ts";

/** Where the time of the day matters; elsewhere a day is enough. */
const WITH_TIME = new Set([
  "due_date",
  "completed_date",
  "created_ts",
  "updated_ts",
  "status_update_date",
  "timestamp",
]);

export const hasTime = (name: string): boolean => WITH_TIME.has(name);

/** A moment in epoch seconds as text. */
export const momentText = (name: string, at_s: number): string =>
  hasTime(name) ? dateTime(at_s) : date(at_s);
