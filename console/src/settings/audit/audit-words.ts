/** Labels and pages for the items in the audit log. */

import type { Change } from "@leadport/client";
import { findType, pageOf, recordTypes, typeLabel } from "../../record/index.ts";
import { lookupTable, t } from "../../text/index.ts";
import { words } from "../../ui/format/index.ts";

/** Returns the label for a type of item: "Lead", "Access token". */
export function subjectLabel(type: string): string {
  const known = findType(type);
  return known === undefined ? (t.audit.subjects[type] ?? words(type)) : typeLabel(known).one;
}

/** Returns all types of items, record types first. */
export const auditedTypes = (): readonly string[] => [
  ...recordTypes().map(({ name }) => name),
  ...Object.keys(t.audit.subjects),
];

export const ACTIONS = [
  "created",
  "updated",
  "deleted",
  "merged",
  "restored",
  "converted",
  "pushed",
  "accepted",
  "rejected",
  "imported",
  "expired",
  "resent",
  "replayed",
  "revealed",
  "erased",
  "cleared",
] as const;

const PAGES: Readonly<Record<string, (id: string) => string>> = lookupTable({
  access_token: () => "/settings/integrations",
  delivery: (id) => `/deliveries/${id}`,
  duplicate_check: () => "/settings/integrations?tab=duplicate_check",
  event_webhook: (id) => `/settings/webhooks/${id}`,
  import: (id) => `/imports/${id}`,
  import_webhook: () => "/settings/integrations?tab=import_webhook",
  partner: (id) => `/partners/${id}`,
  person: () => "/settings/people",
  person_erasure: () => "/settings/privacy",
  person_report: () => "/settings/privacy",
  privacy: () => "/settings/privacy",
  pushed_lead: (id) => `/review/${id}`,
  tenant: () => "/settings/tenant",
});

/** Returns the URL of an item's page; undefined if there is none. */
export function subjectPage({ subject_type: type, subject_id: id, action }: Change) {
  if (action === "deleted") return undefined;
  const known = findType(type);
  return known === undefined ? PAGES[type]?.(id) : pageOf(known, id);
}
