/** The fields and properties that leads and contacts have in common. */

import {
  choice,
  digits,
  entries,
  epoch,
  socials,
  ssn,
  tags,
  text,
  type DerivedDefinition,
  type FieldDefinition,
} from "./define.ts";
import { LEAD_SOURCES, LEAD_STATUSES } from "./enums.ts";

export const PERSON_FIELDS = {
  name: text(500, { required: true }),
  first_name: text(500),
  last_name: text(500),
  email: text(254),
  phone: text(50),
  source: choice(LEAD_SOURCES, { fallback: "Unknown" }),
  status: choice(LEAD_STATUSES, { fallback: "assigned" }),
  comments: text(5000),
  tags: tags(),
  employer_name: text(500),
  profession: text(200),
  title: text(200),
  website: text(2048),
  ssn: ssn(),
  birth_year: digits({ min: 1900, max: "this year" }),
  birth_month: digits({ min: 1, max: 12 }),
  birth_day: digits({ min: 1, max: 31 }),
  decision_date: epoch(),
  business_need_description: text(10_000),
  social_dict_list: socials(),
  email_list: entries("email"),
  phone_list: entries("phone"),
  external_id: text(200),
} as const satisfies Record<string, FieldDefinition>;

export const PERSON_DERIVED = {
  first_name: { kind: "name_part", part: "first" },
  last_name: { kind: "name_part", part: "last" },
  email_list: { kind: "email_list" },
  phone_list: { kind: "phone_list" },
  lead_source: { kind: "copy", of: "source" },
} as const satisfies Record<string, DerivedDefinition>;

/** The fields that the console shows first. */
export const MAIN_FIELDS = [
  "name",
  "email",
  "phone",
  "status",
  "source",
  "employer_name",
  "title",
  "email_list",
  "phone_list",
  "tags",
];

/** Groups of fields that a merge takes from the same record: the birthday, and the partner with its pushed lead. */
export const TOGETHER = [
  ["birth_year", "birth_month", "birth_day"],
  ["partner_id", "pushed_lead_id"],
];

/** The lists that identify duplicate leads, contacts and accounts. */
export const SAME_BY = { email: "email_list", phone: "phone_list" } as const;

/** Alternative names of the status and the source. */
export const STATUS_AND_SOURCE_ALIASES = {
  lead_status: "status",
  lead_source: "source",
  marketing_source: "source",
} as const;
