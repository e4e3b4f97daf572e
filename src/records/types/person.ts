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
  name: text("The full name.", 500, { required: true }),
  first_name: text("The first name.", 500),
  last_name: text("The last name.", 500),
  email: text("The main email.", 254),
  phone: text("The main phone number.", 50),
  source: choice("Where the record came from.", LEAD_SOURCES, { fallback: "Unknown" }),
  status: choice("The status.", LEAD_STATUSES, { fallback: "assigned" }),
  comments: text("Notes.", 5000),
  tags: tags(),
  employer_name: text("The name of the employer.", 500),
  profession: text("The profession.", 200),
  title: text("The job title.", 200),
  website: text("The website.", 2048),
  ssn: ssn(),
  birth_year: digits("The year of the birth date.", { min: 1900, max: "this year" }),
  birth_month: digits("The month of the birth date, from 1 to 12.", { min: 1, max: 12 }),
  birth_day: digits("The day of the birth date, from 1 to 31.", { min: 1, max: 31 }),
  decision_date: epoch("When the person plans to decide, in epoch seconds."),
  business_need_description: text("What the customer needs.", 10_000),
  social_dict_list: socials(),
  email_list: entries("email"),
  phone_list: entries("phone"),
  external_id: text("The record's id in another system. Unique per record type.", 200),
} as const satisfies Record<string, FieldDefinition>;

export const PERSON_DERIVED = {
  first_name: { kind: "name_part", part: "first" },
  last_name: { kind: "name_part", part: "last" },
  email_list: { kind: "email_list" },
  phone_list: { kind: "phone_list" },
  lead_source: { kind: "copy", of: "source" },
} as const satisfies Record<string, DerivedDefinition>;

/** Descriptions of members that several types have. */
export const FROM_PARTNER =
  "The id of the partner that the person came from; null if there is none.";
export const FROM_PUSHED_LEAD =
  "The id of the pushed lead that the record came from; null if there is none.";
export const PREFERENCES = "What the person is looking for, as sent by a partner.";

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
