/**
 * The types that define a record type. A record type is only data: the fields that callers can send, the members
 * derived from them, and the filters of each list. Other modules use this data to create validation and OpenAPI schemas
 * (schemas.ts), columns (columns.ts), the stored body (present.ts) and routes (routes.ts). `Name` is the union of
 * record type names, as defined in record-types.ts.
 */

import type { ImportNames } from "./import-names/index.ts";
import type { DerivedDefinition as AnyDerived, SetElsewhere } from "../derived/index.ts";
import {
  type KindDefinition,
  type Member,
  type ReferenceField,
  SHORT_TEXT_MAX,
} from "../kinds/index.ts";

/**
 * A field that callers can send. Limits refer to the number of characters or list elements, or to the number itself.
 * The folder `kinds` defines the kinds of fields.
 */
export type FieldDefinition<Name extends string = string> = {
  readonly required?: true;
  /** A sentence for the API reference. Kinds of fields that mean the same in all types have a common sentence. */
  readonly description?: string;
} & (Exclude<KindDefinition, ReferenceField> | ReferenceField<Name>);

export type { Member };

/** A member that responses contain in addition to the fields. The folder `derived` defines their kinds. */
export type DerivedDefinition<Name extends string = string> =
  | Exclude<AnyDerived, SetElsewhere>
  | SetElsewhere<Name>;

/** A list operation: the fields that it can be filtered by, and the timestamp that its dates apply to. */
export interface Listing {
  readonly path: string;
  /** The timestamp that start_date and end_date apply to. */
  readonly on: Timestamp;
  /** The length of the default window. Set only for window operations. */
  readonly windowHours?: number;
  readonly filter: readonly string[];
}

export type Timestamp = "created_ts" | "updated_ts" | "status_update_date" | "timestamp";

export interface SumOfLines {
  readonly lines: string;
  readonly amount: string;
  readonly count: string;
}

/** A condition that a field has a certain value. */
export interface Condition {
  readonly field: string;
  readonly is: string;
}

export interface TypeDefinition<Name extends string = string> {
  /** The type's name. */
  readonly name: Name;
  /** The prefix of schema names in OpenAPI, as in LeadRequest and OpportunityUpdateRequest. */
  readonly schemaName: string;
  /** The name of the path parameter that contains the record's id in PATCH. */
  readonly idName: string;
  readonly table: string;
  /** The path of POST. PATCH appends the record's id. */
  readonly writePath: string;
  /** The paths for reading a single record. The documentation uses the first path. */
  readonly readPaths: readonly string[];
  /** The member of a list's response that contains the records. Undefined for a bare array. */
  readonly envelope?: string;
  readonly description: string;
  readonly fields: Readonly<Record<string, FieldDefinition<Name>>>;
  /** At least one of these fields is required on create. */
  readonly oneOf?: readonly string[];
  /** Fields that can be set only on create. A PATCH accepts them only if they are unchanged. */
  readonly frozen?: readonly string[];
  /** Alternative field names. They apply only if the field itself is not sent. */
  readonly aliases: Readonly<Record<string, string>>;
  /** A change of this field updates status_update_date. */
  readonly statusField: string;
  readonly derived: Readonly<Record<string, DerivedDefinition<Name>>>;
  /** Until a value is sent for one of these fields, it contains the sum of amount × count over lines. */
  readonly follows?: Readonly<Record<string, SumOfLines>>;
  /**
   * Fields that can have a value only while another field has a certain value. They are cleared when the other field
   * changes. An empty string counts as null.
   */
  readonly onlyWhile?: Readonly<Record<string, Condition>>;
  /** Fields that default to another field's value. */
  readonly defaultsTo?: Readonly<Record<string, string>>;
  /**
   * The fields that link to a record of any type. If the linked type is one of Leadport's record types, the record must
   * exist. Other values are stored unchecked.
   */
  readonly subject?: { readonly type: string; readonly id: string };
  /**
   * The lists that identify duplicates, by the value of `matched_on`. Records of types with such lists can be merged.
   */
  readonly sameBy?: Readonly<Record<string, "email_list" | "phone_list">>;
  /** Whether records have `timestamp` in addition to `created_ts`. */
  readonly timestamp: boolean;
  readonly lists: Readonly<Record<string, Listing>>;
  /** Groups of fields that belong together. A merge takes all fields of a group from the same record. */
  readonly together?: readonly (readonly string[])[];
  /** Whether records can be deleted. */
  readonly isDeletable?: true;
  /** Whether records are companies. Files can also refer to companies by website domain. */
  readonly isCompany?: true;
  /** The field that files use to refer to a record. Defaults to `name`, if it has a column. */
  readonly foundBy?: string;
  /** Kinds of updates that have their own events. */
  readonly events?: readonly string[];
  /** The fields that the console shows first, in this order. Default: all fields. */
  readonly mainFields?: readonly string[];
  readonly icon?: Icon;
  /** The names of fields and values in files from other systems. */
  readonly imports?: ImportNames<Name> | undefined;
}

export type Icon = "building" | "cart" | "checklist" | "invoice" | "people" | "person" | "target";

/**
 * Whether a field is long enough for notes. If so, the console shows it as a text area, and imports can combine several
 * columns in it.
 */
export const isLongText = (field: FieldDefinition | undefined): boolean =>
  field?.kind === "text" && field.max > SHORT_TEXT_MAX;

type Plain = FieldDefinition<never>;
type Wanted = Pick<Plain, "required">;
/** The properties of a kind of field. */
type Details<K extends Plain["kind"]> = Omit<Extract<Plain, { kind: K }>, "kind" | "description">;

export const text = (
  description: string,
  max: number,
  o: Omit<Details<"text">, "max"> = {},
): Plain => ({ kind: "text", max, description, ...o });
export const choice = (
  description: string,
  of: readonly string[],
  o: Omit<Details<"choice">, "of">,
): Plain => ({ kind: "choice", of, description, ...o });
export const tags = (): Plain => ({ kind: "tags" });
export const number = (description: string, o: Details<"number">): Plain => ({
  kind: "number",
  description,
  ...o,
});
export const money = (description: string, o: Wanted = {}): Plain => ({
  kind: "money",
  description,
  ...o,
});
export const whole = (description: string, o: Details<"whole">): Plain => ({
  kind: "whole",
  description,
  ...o,
});
export const digits = (description: string, o: Details<"digits">): Plain => ({
  kind: "digits",
  description,
  ...o,
});
export const epoch = (description: string): Plain => ({ kind: "epoch", description });
export const ssn = (): Plain => ({ kind: "ssn" });
export const flag = (description: string): Plain => ({ kind: "flag", description });
export const reference = <To extends string>(to: To, o: Wanted = {}): FieldDefinition<To> => ({
  kind: "reference",
  to,
  ...o,
});
export const lines = (description: string, members: readonly Member[], o: Wanted = {}): Plain => ({
  kind: "lines",
  members,
  description,
  ...o,
});
export const socials = (): Plain => ({ kind: "socials" });
export const entries = (of: "email" | "phone"): Plain => ({ kind: "entries", of });
export const free = (description: string): Plain => ({ kind: "free", description });
