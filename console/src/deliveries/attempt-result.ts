/** Describes the result of a delivery attempt in a few words. */

import { t } from "../text/index.ts";
import { words } from "../ui/format/index.ts";
import type { Attempt, Delivery } from "./search.ts";

/** Returns the response status, or why the attempt failed: "200" or "No response in time". */
export function attemptResult(
  attempt: Pick<Attempt, "status" | "fault"> | null | undefined,
): string {
  if (attempt === null || attempt === undefined) return t.common.none;
  const { status, fault } = attempt;
  const why = fault === null ? undefined : (t.deliveries.faults[fault] ?? words(fault));
  if (status === null) return why ?? t.deliveries.noResponse;
  return why === undefined ? String(status) : `${status}: ${why}`;
}

export const eventOf = ({ event, topic }: Delivery): string => event ?? topic;
