/** A qualified person, converted from a lead or added directly. Spec 2.2, 4.2, 4.8; D3. */

import { reference, type RecordType } from "./define.ts";
import { PERSON_DERIVED, PERSON_FIELDS, SAME_BY, STATUS_AND_SOURCE_ALIASES } from "./person.ts";

const PROFILE = ["employer_name", "profession", "title"];

export const contact: RecordType = {
  name: "contact",
  schemaName: "Contact",
  idName: "contact_id",
  table: "contacts",
  writePath: "/crm/contacts",
  readPaths: ["/crm/contacts"],
  description: "A qualified person, converted from a lead or added directly.",
  fields: { ...PERSON_FIELDS, account_id: reference("account") },
  aliases: STATUS_AND_SOURCE_ALIASES,
  statusField: "status",
  derived: {
    ...PERSON_DERIVED,
    marketing_source: { kind: "copy", of: "source" },
    match_preferences_dict: { kind: "set_elsewhere", type: "object", empty: null },
    source_lead_id: { kind: "set_elsewhere", type: "id", to: "lead", empty: null },
    partner_id: { kind: "set_elsewhere", type: "id", empty: null },
    pushed_lead_id: { kind: "set_elsewhere", type: "id", empty: null },
  },
  sameBy: SAME_BY,
  timestamp: false,
  lists: {
    all: {
      path: "/crm/contacts",
      on: "created_ts",
      filter: ["status", "lead_source", "name", "email_list", "phone_list", "tags", ...PROFILE],
    },
    created: {
      path: "/crm/contacts/created",
      on: "created_ts",
      windowHours: 4,
      filter: ["status", "lead_source", "name", "tags", ...PROFILE],
    },
    status_updated: {
      path: "/crm/contacts/status_updated",
      on: "status_update_date",
      windowHours: 1,
      // Spec 4.8 names only `status`; D4.4 gives it the fields of its sister on leads.
      filter: ["status", "lead_source", "name", "tags"],
    },
  },
};
