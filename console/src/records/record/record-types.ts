/**
 * The record types, with the names, paths and value formats that the pages derive from their definitions. Pages support
 * new types and fields automatically.
 */

import {
  type Field,
  type Icon,
  isLongText,
  RECORD_TYPES,
  type RecordName,
  type RecordType,
  recordTypes,
  SUBJECT_TYPES,
  subjectWord,
} from "../../../../src/records/types/index.ts";
import { lookupTable, t } from "../../text/index.ts";
import { words } from "../../ui/format/index.ts";

export type { Field, Icon, RecordName, RecordType };
export { RECORD_TYPES, recordTypes, SUBJECT_TYPES, subjectWord };

/** Field values by name, as the API accepts them. */
export type Draft = Readonly<Record<string, unknown>>;

/** A record as the service returns it. */
export type Stored = Readonly<Record<string, unknown>> & {
  readonly _id: string;
  readonly name: string;
  readonly version: number;
};

/** Returns the record type whose pages are at `/<plural>`; undefined if there is none. */
export const typeByPlural = (plural: string): RecordType | undefined =>
  recordTypes.find(({ table }) => table === plural);

/** Returns a type's label in the singular and the plural: "Lead", "Leads". */
export const typeLabel = ({ name, table }: RecordType) => ({
  one: words(name),
  many: words(table),
});

/** Returns the API path that lists all records of a type. */
export const listPath = (type: RecordType): string => type.lists["all"]?.path ?? type.writePath;

/** Returns the fields by which a type's list can be filtered. */
export const filterFields = (type: RecordType): readonly string[] =>
  type.lists["all"]?.filter ?? [];

/** Returns the API path for reading a record. The path of the record's history begins with this path. */
export const readPath = (type: RecordType, id: string): string =>
  `${type.readPaths[0] ?? type.writePath}/${encodeURIComponent(id)}`;

/** Returns the API path for changing a record. */
export const writePath = (type: RecordType, id: string): string =>
  `${type.writePath}/${encodeURIComponent(id)}`;

/** Returns the URL of a record's page. */
export const pageOf = (type: RecordType, id: string): string =>
  `/${type.table}/${encodeURIComponent(id)}`;

/** The ways in which a value can be shown. */
export type ValueKind =
  | "text"
  | "long_text"
  | "status"
  | "word"
  | "tags"
  | "number"
  | "share"
  | "money"
  | "moment"
  | "flag"
  | "email"
  | "phone"
  | "emails"
  | "phones"
  | "link"
  | "reference"
  | "partner"
  | "pushed_lead"
  | "user"
  | "lines"
  | "socials"
  | "object";

const KIND_OF_FIELD: Readonly<Record<Field["kind"], ValueKind>> = {
  text: "text",
  choice: "word",
  tags: "tags",
  number: "number",
  money: "money",
  whole: "number",
  digits: "number",
  epoch: "moment",
  ssn: "text",
  flag: "flag",
  reference: "reference",
  lines: "lines",
  socials: "socials",
  entries: "emails",
  free: "object",
};

const STAMPS = new Set(["created_ts", "updated_ts", "status_update_date", "timestamp"]);

/** Text fields with suggested options. Any other value is also accepted. */
const WORDS = new Set(["action", "subject_type"]);

/** IDs that do not refer to records. */
const OTHER_IDS: Readonly<Record<string, ValueKind | undefined>> = lookupTable({
  partner_id: "partner",
  pushed_lead_id: "pushed_lead",
  userid: "user",
  created_by_userid: "user",
});

/** Returns how a member's value is shown. The default is text. */
export function kindOf(type: RecordType, name: string): ValueKind {
  if (STAMPS.has(name)) return "moment";
  if (name === type.statusField) return "status";
  const other = WORDS.has(name) ? "word" : OTHER_IDS[name];
  if (other !== undefined) return other;
  const field = type.fields[name];
  if (field !== undefined) {
    if (name === "email" || name === "phone") return name;
    if (name === "website") return "link";
    if (field.kind === "number" && field.max === 1) return "share";
    // A year is not an amount, so its digits are not grouped.
    if (field.kind === "digits" && field.max === "this year") return "text";
    if (isLongText(field)) return "long_text";
    if (field.kind === "entries") return field.of === "email" ? "emails" : "phones";
    return KIND_OF_FIELD[field.kind];
  }
  const derived = type.derived[name];
  switch (derived?.kind) {
    case "copy":
      return kindOf(type, derived.of);
    case "email_list":
      return "emails";
    case "phone_list":
      return "phones";
    case "product":
      return "money";
    case "moment":
      return "moment";
    case "mirror":
      return "flag";
    case "set_elsewhere":
      return derived.to !== undefined ? "reference" : derived.type === "flag" ? "flag" : "object";
    default:
      return "text";
  }
}

/**
 * Returns the type of record that a field refers to. Also works for IDs that are set by other operations, such as a
 * conversion.
 */
export function referenceOf(type: RecordType, name: string): RecordType | undefined {
  const field = type.fields[name];
  if (field?.kind === "reference") return RECORD_TYPES[field.to];
  const derived = type.derived[name];
  const to = derived?.kind === "set_elsewhere" ? derived.to : undefined;
  return to === undefined ? undefined : RECORD_TYPES[to];
}

export interface Reference {
  readonly to: RecordType;
  readonly id: string;
  /** The referenced record's name, if the service returns it. */
  readonly name: string | undefined;
}

/** Returns the record that a member refers to; undefined if there is none. */
export function referenceAt(type: RecordType, record: Draft, name: string): Reference | undefined {
  const id = record[name];
  if (typeof id !== "string" || id === "") return undefined;
  const to =
    name === type.subject?.id
      ? SUBJECT_TYPES.get(String(record[type.subject.type]))
      : referenceOf(type, name);
  if (to === undefined) return undefined;
  const served = record[name.replace(/_id$/, "_name")];
  return { to, id, name: name.endsWith("_id") && typeof served === "string" ? served : undefined };
}

/** Whether a record is a lead that has been converted to a contact. */
export const isConverted = ({ name }: RecordType, record: Draft): boolean =>
  name === "lead" && record["converted_to_contact"] === true;

/** Returns a field's label: its own label or, if it has none, its name with spaces. */
export const fieldLabel = (name: string): string =>
  t.fields[name] ?? words(name.replace(/_(id|ts|num|dict|pcnt|dict_list|list)$/, ""));
