/** Labels for the record types that events refer to. */

import { findType, typeLabel } from "../record/index.ts";
import { t } from "../text/index.ts";
import type { EventGroup } from "./event-groups.ts";

export function groupLabel(type: EventGroup["type"]): string {
  if (type === "pushed_lead") return t.webhooks.pushedLeads;
  const known = findType(type);
  return known === undefined ? t.webhooks.persons : typeLabel(known).many;
}

/** Returns a record type's label: "Lead". */
export function recordLabel(type: string): string {
  const known = findType(type);
  if (known !== undefined) return typeLabel(known).one;
  return type === "person" ? t.deliveries.person : t.deliveries.pushedLead;
}
