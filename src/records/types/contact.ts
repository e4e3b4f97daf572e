/** A qualified person, converted from a lead or created directly. */

import { reference, type TypeDefinition } from "./define.ts";
import { IMPORT_NAMES } from "./import-names/index.ts";
import {
  MAIN_FIELDS,
  PERSON_DERIVED,
  PERSON_FIELDS,
  SAME_BY,
  STATUS_AND_SOURCE_ALIASES,
  TOGETHER,
} from "./person.ts";

const PROFILE = ["employer_name", "profession", "title"];
/** The contact's account, and the partner that the contact is attributed to. */
const LINKS = ["account_id", "partner_id"];

export const contact = {
  name: "contact",
  schemaName: "Contact",
  idName: "contact_id",
  table: "contacts",
  writePath: "/crm/contacts",
  readPaths: ["/crm/contacts"],
  description: "A qualified person, converted from a lead or created directly.",
  fields: { ...PERSON_FIELDS, account_id: reference("account") },
  aliases: STATUS_AND_SOURCE_ALIASES,
  statusField: "status",
  derived: {
    ...PERSON_DERIVED,
    marketing_source: { kind: "copy", of: "source" },
    match_preferences_dict: {
      kind: "set_elsewhere",
      type: "object",
      empty: null,
      doc: "the preferences of the converted lead, unless the contact was attributed to another pushed lead",
    },
    source_lead_id: {
      kind: "set_elsewhere",
      type: "id",
      to: "lead",
      empty: null,
      doc: "the lead that was converted into this contact",
    },
    partner_id: {
      kind: "set_elsewhere",
      type: "id",
      empty: null,
      doc:
        "the partner that the contact was " +
        "[attributed](partner-exchange.md#attribution-and-commission) to when it was created",
    },
    pushed_lead_id: {
      kind: "set_elsewhere",
      type: "id",
      empty: null,
      doc: "the pushed lead that this attribution is based on",
    },
  },
  sameBy: SAME_BY,
  timestamp: false,
  together: TOGETHER,
  mainFields: [...MAIN_FIELDS, "account_id", "comments"],
  icon: "people",
  imports: IMPORT_NAMES.contact,
  lists: {
    all: {
      path: "/crm/contacts",
      on: "created_ts",
      filter: [
        "status",
        "lead_source",
        "name",
        "email_list",
        "phone_list",
        "tags",
        ...PROFILE,
        ...LINKS,
      ],
    },
    created: {
      path: "/crm/contacts/created",
      on: "created_ts",
      windowHours: 4,
      filter: ["status", "lead_source", "name", "tags", ...PROFILE, ...LINKS],
    },
    status_updated: {
      path: "/crm/contacts/status_updated",
      on: "status_update_date",
      windowHours: 1,
      // The filters of the corresponding list of leads, plus the account and partner.
      filter: ["status", "lead_source", "name", "tags", ...LINKS],
    },
  },
} as const satisfies TypeDefinition;
