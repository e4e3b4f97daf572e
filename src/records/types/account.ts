/** An account is a company: a customer, vendor or partner. */

import { choice, digits, entries, socials, tags, text, type TypeDefinition } from "./define.ts";
import { IMPORT_NAMES } from "./import-names/index.ts";
import { SAME_BY, STATUS_AND_SOURCE_ALIASES } from "./person.ts";

const STATUSES = [
  "open",
  "assigned",
  "attempted",
  "contacted",
  "meeting-setup",
  "customer",
  "lost-followup",
  "lost",
  "inactive",
  "incorrect",
  "disqualified",
  "prospect",
  "ex-customer",
];

const RELATIONSHIPS = ["customer", "vendor", "partner", "prospect", "other"];

export const account = {
  name: "account",
  schemaName: "Account",
  idName: "account_id",
  table: "accounts",
  writePath: "/crm/accounts",
  readPaths: ["/crm/accounts"],
  description: "A company or organization: a customer, vendor or partner.",
  fields: {
    name: text("The name of the company.", 500, { required: true }),
    email: text("The main email.", 254),
    phone: text("The main phone number.", 50),
    source: text("Where the record came from.", 100, { fallback: "Unknown" }),
    status: choice("The status.", STATUSES, { fallback: "customer" }),
    relationship_type: choice("The relationship to the company.", RELATIONSHIPS, {
      fallback: "customer",
    }),
    tags: tags(),
    website: text("The website.", 2048),
    company_name: text("The legal name of the company.", 500),
    description: text("A description.", 10_000),
    industry: text("The industry.", 500),
    num_employees: digits("The number of employees.", { min: 0, max: Number.MAX_SAFE_INTEGER }),
    social_dict_list: socials(),
    email_list: entries("email"),
    phone_list: entries("phone"),
    external_id: text("The record's id in another system. Unique per record type.", 200),
  },
  aliases: STATUS_AND_SOURCE_ALIASES,
  statusField: "status",
  derived: {
    email_list: { kind: "email_list" },
    phone_list: { kind: "phone_list" },
    marketing_source: { kind: "copy", of: "source" },
  },
  sameBy: SAME_BY,
  timestamp: false,
  isCompany: true,
  mainFields: [
    "name",
    "email",
    "phone",
    "status",
    "relationship_type",
    "source",
    "industry",
    "website",
    "email_list",
    "phone_list",
    "tags",
    "description",
  ],
  icon: "building",
  imports: IMPORT_NAMES.account,
  lists: {
    all: {
      path: "/crm/accounts",
      on: "created_ts",
      filter: [
        "status",
        "source",
        "relationship_type",
        "name",
        "company_name",
        "industry",
        "tags",
        "email_list",
        "phone_list",
      ],
    },
  },
} as const satisfies TypeDefinition;
