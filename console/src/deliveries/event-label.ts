/** Labels for the record types that events refer to. */

import { RECORD_TYPES, typeLabel } from "../records/record/index.ts";
import { t } from "../text/index.ts";
import type { EventGroup } from "./event-groups.ts";

export function groupLabel(type: EventGroup["type"]): string {
  if (type === "pushed_lead") return t.webhooks.pushedLeads;
  return type === "person" ? t.webhooks.persons : typeLabel(RECORD_TYPES[type]).many;
}

/** Returns a record type's label: "Lead". */
export function recordLabel(type: string): string {
  const known = Object.values(RECORD_TYPES).find(({ name }) => name === type);
  if (known !== undefined) return typeLabel(known).one;
  return type === "person" ? t.deliveries.person : t.deliveries.pushedLead;
}
