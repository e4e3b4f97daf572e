/** How an attempt went, in a few words. */

import { t } from "../text/index.ts";
import { words } from "../ui/format/index.ts";
import type { Attempt, Delivery } from "./search.ts";

/** "200", "Timeout": the status of the answer, or why it did not count. */
export function answerOf(attempt: Pick<Attempt, "status" | "fault"> | null | undefined): string {
  if (attempt === null || attempt === undefined) return t.common.none;
  const { status, fault } = attempt;
  const told = fault === null ? undefined : (t.deliveries.faults[fault] ?? words(fault));
  if (status === null) return told ?? t.deliveries.noAnswer;
  return told === undefined ? String(status) : `${status}: ${told}`;
}

export const topicLabel = (topic: Delivery["topic"]): string =>
  topic === "lead.imported" || topic === "event" ? t.deliveries.topics[topic] : topic;
