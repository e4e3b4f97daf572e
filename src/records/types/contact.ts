/** A person you do business with, converted from a lead or created directly. */

import { reference, type TypeDefinition } from "./define.ts";
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
  description: "A person you do business with, converted from a lead or created directly.",
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
      description: PREFERENCES,
      doc: "if this contact was converted from a lead and both are attributed to the same pushed lead, the lead's `match_preferences_dict`",
    },
    source_lead_id: {
      kind: "set_elsewhere",
      type: "id",
      to: "lead",
      empty: null,
      description: "The id of the lead that the contact was converted from; null if there is none.",
      doc: "if this contact was converted from a lead, the id of the lead",
    },
    partner_id: {
      kind: "set_elsewhere",
      type: "id",
      empty: null,
      description: FROM_PARTNER,
      doc:
        "if this contact was [attributed](partner-exchange.md#attribution-and-commission) to a " +
        "partner when it was created, the id of the partner",
    },
    pushed_lead_id: {
      kind: "set_elsewhere",
      type: "id",
      empty: null,
      description: FROM_PUSHED_LEAD,
      doc: "if this contact was attributed to a partner, the id of the pushed lead on which the attribution is based",
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
