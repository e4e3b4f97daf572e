/**
 * The vocabulary of record types. A record type is only data: the fields that may be sent, the
 * members derived from them, and the filters of each list. For each kind of output, one module
 * turns this data into validation and OpenAPI (schemas.ts), columns (columns.ts), the stored body
 * (present.ts) and routes (routes.ts). `Name` is the union of record type names, which follow from
 * record-types.ts.
 */

import type { ImportNames } from "./import-names/index.ts";

/** A field that callers may send. Limits are in characters, list elements, or the number itself. */
export type FieldDefinition<Name extends string = string> = { readonly required?: true } & (
  | { readonly kind: "text"; readonly max: number; readonly fallback?: string }
  | {
      readonly kind: "choice";
      readonly of: readonly string[];
      readonly fallback: string;
      /** Alternative spellings of values, accepted in bodies and filters. */
      readonly spellings?: Readonly<Record<string, string>>;
    }
  | { readonly kind: "tags" }
  | { readonly kind: "number"; readonly min: number; readonly max: number }
  | { readonly kind: "money" }
  | {
      readonly kind: "whole";
      readonly min: number;
      readonly max: number;
      readonly fallback: number;
    }
  /** A whole number that may also be sent as digits in a string. */
  | { readonly kind: "digits"; readonly min: number; readonly max: number | "this year" }
  | { readonly kind: "epoch" }
  | { readonly kind: "ssn" }
  | { readonly kind: "flag" }
  | { readonly kind: "reference"; readonly to: Name }
  /** A list of objects, whose unknown members are stored, too. */
  | { readonly kind: "lines"; readonly members: readonly Member[] }
  | { readonly kind: "socials" }
  /** Addresses or numbers, sent as objects or strings; `email` or `phone` is the main one. */
  | { readonly kind: "entries"; readonly of: "email" | "phone" }
  /** An object or a string, stored as sent (action_data). */
  | { readonly kind: "free" }
);

/** A known member of the objects in a `lines` field. None is required. */
export interface Member {
  readonly name: string;
  readonly kind: "text" | "money" | "line_detail";
}

/** A member that is returned in addition to the sent fields, and how it is computed. */
export type DerivedDefinition<Name extends string = string> =
  | { readonly kind: "copy"; readonly of: string }
  | { readonly kind: "name_part"; readonly part: "first" | "last" }
  | { readonly kind: "email_list" }
  | { readonly kind: "phone_list" }
  /** The name of the record that a reference field refers to. It is updated when that record is renamed. */
  | { readonly kind: "name_of"; readonly reference: string }
  | { readonly kind: "product"; readonly of: string; readonly by: string }
  /** True exactly while `field` has `value`. Sending it sets the field. */
  | { readonly kind: "mirror"; readonly field: string; readonly value: string }
  /** The time when `field` took one of `values`; null while it has another value. */
  | { readonly kind: "moment"; readonly field: string; readonly values: readonly string[] }
  | { readonly kind: "sequence"; readonly prefix: string; readonly start: number }
  /** Set by another operation (convert, import); `empty` until then. */
  | {
      readonly kind: "set_elsewhere";
      readonly type: "id" | "flag" | "object";
      readonly empty: null | false;
      /** The type of the record that the id belongs to, if it is one of ours. */
      readonly to?: Name;
      /** What it is and which operation sets it, for docs/records.md. */
      readonly doc: string;
    };

/** A list operation: the fields that it can filter by, and the timestamp for its dates. */
export interface Listing {
  readonly path: string;
  /** The timestamp to which start_date and end_date apply. */
  readonly on: Timestamp;
  /** The length of the default window. Only window operations have one. */
  readonly windowHours?: number;
  readonly filter: readonly string[];
}

export type Timestamp = "created_ts" | "updated_ts" | "status_update_date" | "timestamp";

export interface SumOfLines {
  readonly lines: string;
  readonly amount: string;
  readonly count: string;
}

/** Requires a field to have a certain value. */
export interface Condition {
  readonly field: string;
  readonly is: string;
}

export interface TypeDefinition<Name extends string = string> {
  /** The name used by the console and exports, and as the table name: a Lead, Leads. */
  readonly name: Name;
  /** The stem of schema names in OpenAPI: LeadRequest, OpportunityUpdateRequest … */
  readonly schemaName: string;
  /** The name of the path parameter in PATCH. */
  readonly idName: string;
  readonly table: string;
  /** The path of POST; PATCH is below it. */
  readonly writePath: string;
  /** The paths for reading a single record. Documentation uses the first one. */
  readonly readPaths: readonly string[];
  /** The member of a list's response that contains the records; undefined for a bare array. */
  readonly envelope?: string;
  readonly description: string;
  readonly fields: Readonly<Record<string, FieldDefinition<Name>>>;
  /** At least one of these must be sent on create. */
  readonly oneOf?: readonly string[];
  /** Fields that can only be sent on create. PATCH accepts them only unchanged. */
  readonly frozen?: readonly string[];
  /** Alternative names of fields, used if the field itself is not sent. */
  readonly aliases: Readonly<Record<string, string>>;
  /** The field whose changes update status_update_date. */
  readonly statusField: string;
  readonly derived: Readonly<Record<string, DerivedDefinition<Name>>>;
  /** A field that is the sum of amount × count over its lines until a value is sent. */
  readonly follows?: Readonly<Record<string, SumOfLines>>;
  /**
   * A field that can have a value only while another field has this value. It is cleared when the
   * other field changes, and an empty string counts as null.
   */
  readonly onlyWhile?: Readonly<Record<string, Condition>>;
  /** A field that gets another field's value if it was not sent. */
  readonly defaultsTo?: Readonly<Record<string, string>>;
  /** A link to a record of any type. A record of our types must exist; other values are stored unchecked. */
  readonly subject?: { readonly type: string; readonly id: string };
  /**
   * The lists by which duplicates of this type are recognized, by the value of `matched_on`.
   * Records of types that have it can be merged.
   */
  readonly sameBy?: Readonly<Record<string, "email_list" | "phone_list">>;
  /** Whether records have `timestamp` in addition to `created_ts`. */
  readonly timestamp: boolean;
  readonly lists: Readonly<Record<string, Listing>>;
  /** Fields that a merge takes from the same record, either all of them or none. */
  readonly together?: readonly (readonly string[])[];
  /** Whether records can be deleted. */
  readonly isDeletable?: true;
  /** Whether it is the type of companies, which files may also refer to by the domain of their website. */
  readonly isCompany?: true;
  /** The field whose value files use to refer to a record. Default: `name`, if it has a column. */
  readonly foundBy?: string;
  /** Reasons of updates that also have their own events. */
  readonly events?: readonly string[];
  /** The fields that the console shows first, in this order. Default: all fields. */
  readonly mainFields?: readonly string[];
  readonly icon?: Icon;
  /** The names of its fields and values in files from other systems. */
  readonly imports?: ImportNames<Name> | undefined;
}

export type Icon = "building" | "cart" | "checklist" | "invoice" | "people" | "person" | "target";

/**
 * Whether the field has room for notes. If so, the console shows it in a text area, and imports
 * join columns in it.
 */
export const isLongText = (field: FieldDefinition | undefined): boolean =>
  field?.kind === "text" && field.max > 2048;

type Plain = FieldDefinition<never>;
type Wanted = Pick<Plain, "required">;
/** The properties of a field of some kind. */
type Details<K extends Plain["kind"]> = Omit<Extract<Plain, { kind: K }>, "kind">;

export const text = (max: number, o: Omit<Details<"text">, "max"> = {}): Plain => ({
  kind: "text",
  max,
  ...o,
});
export const choice = (of: readonly string[], o: Omit<Details<"choice">, "of">): Plain => ({
  kind: "choice",
  of,
  ...o,
});
export const tags = (): Plain => ({ kind: "tags" });
export const number = (o: Details<"number">): Plain => ({ kind: "number", ...o });
export const money = (o: Wanted = {}): Plain => ({ kind: "money", ...o });
export const whole = (o: Details<"whole">): Plain => ({ kind: "whole", ...o });
export const digits = (o: Details<"digits">): Plain => ({ kind: "digits", ...o });
export const epoch = (): Plain => ({ kind: "epoch" });
export const ssn = (): Plain => ({ kind: "ssn" });
export const flag = (): Plain => ({ kind: "flag" });
export const reference = <To extends string>(to: To, o: Wanted = {}): FieldDefinition<To> => ({
  kind: "reference",
  to,
  ...o,
});
export const lines = (members: readonly Member[], o: Wanted = {}): Plain => ({
  kind: "lines",
  members,
  ...o,
});
export const socials = (): Plain => ({ kind: "socials" });
export const entries = (of: "email" | "phone"): Plain => ({ kind: "entries", of });
export const free = (): Plain => ({ kind: "free" });
