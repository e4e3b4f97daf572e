/** Which moments are told by their time, and which by their day alone. */

import { date, dateTime } from "../../ui/format/index.ts";

/** Where the time of the day matters; elsewhere a day is enough. */
const WITH_TIME = new Set(["due_date", "completed_date"]);

export const hasTime = (name: string): boolean => WITH_TIME.has(name);

/** A moment in epoch seconds as its field tells it. */
export const momentText = (name: string, at_s: number): string =>
  hasTime(name) ? dateTime(at_s) : date(at_s);
