/** A lead is a person who has not been qualified yet. */

import type { TypeDefinition } from "./define.ts";
import { IMPORT_NAMES } from "./import-names/index.ts";
import {
  FROM_PARTNER,
  FROM_PUSHED_LEAD,
  MAIN_FIELDS,
  PERSON_DERIVED,
  PERSON_FIELDS,
  PREFERENCES,
  SAME_BY,
  STATUS_AND_SOURCE_ALIASES,
  TOGETHER,
} from "./person.ts";

const FILTERS = [
  "lead_status",
  "lead_source",
  "name",
  "email_list",
  "phone_list",
  "tags",
  "employer_name",
  "profession",
  "title",
  "partner_id",
];

export const lead = {
  name: "lead",
  schemaName: "Lead",
  idName: "lead_id",
  table: "leads",
  writePath: "/crm/leads",
  readPaths: ["/crm/leads"],
  envelope: "leads",
  description: "A person who may become a customer. Convert qualified leads into contacts.",
  fields: PERSON_FIELDS,
  aliases: STATUS_AND_SOURCE_ALIASES,
  statusField: "status",
  derived: {
    ...PERSON_DERIVED,
    lead_status: { kind: "copy", of: "status" },
    match_preferences_dict: {
      kind: "set_elsewhere",
      type: "object",
      empty: null,
      description: PREFERENCES,
      doc: "if this lead was imported from a pushed lead, the pushed lead's `match_preferences`",
    },
    converted_to_contact: {
      kind: "set_elsewhere",
      type: "flag",
      empty: false,
      description: "Whether the lead was converted into a contact.",
      doc: "true if this lead has been [converted](#conversion)",
    },
    contact_id: {
      kind: "set_elsewhere",
      type: "id",
      to: "contact",
      empty: null,
      description: "The id of the contact.",
      doc: "if this lead has been [converted](#conversion), the id of the contact",
    },
    partner_id: {
      kind: "set_elsewhere",
      type: "id",
      empty: null,
      description: FROM_PARTNER,
      doc: "if this lead was [imported](partner-exchange.md#import) from a pushed lead, the id of the partner",
    },
    pushed_lead_id: {
      kind: "set_elsewhere",
      type: "id",
      empty: null,
      description: FROM_PUSHED_LEAD,
      doc: "if this lead was imported from a pushed lead, the id of the pushed lead",
    },
  },
  sameBy: SAME_BY,
  timestamp: false,
  together: [...TOGETHER, ["converted_to_contact", "contact_id"]],
  events: ["converted"],
  mainFields: [...MAIN_FIELDS, "comments"],
  icon: "person",
  imports: IMPORT_NAMES.lead,
  lists: {
    all: { path: "/crm/leads", on: "created_ts", filter: FILTERS },
    created: { path: "/crm/leads/created", on: "created_ts", windowHours: 4, filter: FILTERS },
    status_updated: {
      path: "/crm/leads/status_updated",
      on: "status_update_date",
      windowHours: 1,
      filter: ["lead_status", "lead_source", "name", "tags", "partner_id"],
    },
  },
} as const satisfies TypeDefinition;
