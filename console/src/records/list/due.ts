/** Whether a task is overdue or due today. */

import type { Stored } from "../../record/index.ts";
import { dayOf, isOver } from "../../ui/days/index.ts";

export type Due = "overdue" | "today" | undefined;

export function dueOf(record: Stored, now_s: number = Date.now() / 1000): Due {
  const due = record["due_date"];
  if (typeof due !== "number" || record["is_completed"] === true) return undefined;
  if (dayOf(due) === dayOf(now_s)) return "today";
  return isOver(due, now_s) ? "overdue" : undefined;
}
