/**
 * The record types, with the names, paths and value formats that the pages derive from their definitions. Pages support
 * new types and fields automatically.
 */

import { t } from "../text/index.ts";
import { words } from "../ui/format/index.ts";
import { type Field, findType, type RecordType, subjectType, subjectTypes } from "./definitions.ts";

/** Field values by name, as the API accepts them. */
export type Draft = Readonly<Record<string, unknown>>;

/** A record as the service returns it. */
export type Stored = Readonly<Record<string, unknown>> & {
  readonly _id: string;
  readonly name: string;
  readonly version: number;
};

/** Returns a type's label in the singular and the plural: "Lead", "Leads". */
export const typeLabel = ({ name, plural }: RecordType) => ({
  one: words(name),
  many: words(plural),
});

const mainList = ({ lists }: RecordType) => lists.find(({ name }) => name === "all");

/** Returns the API path that lists all records of a type. */
export const listPath = (type: RecordType): string => mainList(type)?.path ?? type.write_path;

/** Returns the fields by which a type's list can be filtered. */
export const filterFields = (type: RecordType): readonly string[] =>
  mainList(type)?.filterable ?? [];

/** Returns the API path for reading a record. The path of the record's history begins with this path. */
export const readPath = (type: RecordType, id: string): string =>
  `${type.read_paths[0] ?? type.write_path}/${encodeURIComponent(id)}`;

/** Returns the API path for changing a record. */
export const writePath = (type: RecordType, id: string): string =>
  `${type.write_path}/${encodeURIComponent(id)}`;

/** Returns the URL of a record's page. */
export const pageOf = (type: RecordType, id: string): string =>
  `/${type.plural}/${encodeURIComponent(id)}`;

/** The kind of a value. The status has its own kind, so that it is shown in its color. */
export type ValueKind = Field["kind"] | "status";

/** Returns the name of the field that a member is a copy of; otherwise the name unchanged. */
export function originalOf({ members }: RecordType, name: string): string {
  const origin = members[name]?.origin;
  return origin?.rule === "copy" ? (origin.field ?? name) : name;
}

/** Returns the kind of a member. The default is text. */
export const kindOf = (type: RecordType, name: string): ValueKind =>
  originalOf(type, name) === type.status_field ? "status" : (type.members[name]?.kind ?? "text");

/** Whether a field only states whether another field has a certain value. Pages show that other field instead. */
export const isCondition = ({ members }: RecordType, name: string): boolean =>
  members[name]?.origin?.rule === "condition";

/** Whether a member is set by other operations, such as a conversion. */
export const isSetElsewhere = ({ members }: RecordType, name: string): boolean =>
  members[name]?.origin?.rule === "operation";

/**
 * Returns the type of record that a field refers to. Also works for IDs that are set by other operations, such as a
 * conversion.
 */
export function referenceOf({ members }: RecordType, name: string): RecordType | undefined {
  const to = members[name]?.record_type;
  return to === undefined ? undefined : findType(to);
}

/** Returns the record types that a field can refer to. A task can refer to most types. */
export function typesNamedBy(of: RecordType, name: string): readonly RecordType[] {
  if (name === of.subject_fields?.id) return subjectTypes();
  const to = referenceOf(of, name);
  return to === undefined ? [] : [to];
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
    name === type.subject_fields?.id
      ? subjectType(record[type.subject_fields.type])
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
