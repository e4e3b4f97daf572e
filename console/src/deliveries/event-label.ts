/** Labels of the record types in events. */

import { RECORD_TYPES, typeLabel } from "../records/record/index.ts";
import { t } from "../text/index.ts";
import type { EventGroup } from "./event-groups.ts";

export const groupLabel = (type: EventGroup["type"]): string =>
  type === "pushed_lead" ? t.webhooks.pushedLeads : typeLabel(RECORD_TYPES[type]).many;

/** The label of a type: "Lead". */
export function recordLabel(type: string): string {
  const known = Object.values(RECORD_TYPES).find(({ name }) => name === type);
  return known === undefined ? t.deliveries.pushedLead : typeLabel(known).one;
}
