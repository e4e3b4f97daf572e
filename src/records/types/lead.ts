/** A person who is not qualified yet. */

import type { TypeDefinition } from "./define.ts";
import { IMPORT_NAMES } from "./import-names/index.ts";
import {
  MAIN_FIELDS,
  PERSON_DERIVED,
  PERSON_FIELDS,
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
      doc: "`match_preferences` of the pushed lead that was imported as this lead",
    },
    converted_to_contact: {
      kind: "set_elsewhere",
      type: "flag",
      empty: false,
      doc: "true after a [conversion](#conversion)",
    },
    contact_id: {
      kind: "set_elsewhere",
      type: "id",
      to: "contact",
      empty: null,
      doc: "the contact that a [conversion](#conversion) created",
    },
    partner_id: {
      kind: "set_elsewhere",
      type: "id",
      empty: null,
      doc: "the partner whose pushed lead was [imported](partner-exchange.md#import) as this lead",
    },
    pushed_lead_id: {
      kind: "set_elsewhere",
      type: "id",
      empty: null,
      doc: "the pushed lead that was imported as this lead",
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
