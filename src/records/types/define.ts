/**
 * The vocabulary the record types are written in. A record type is data only: what may be sent,
 * what is derived from it, and what each list filters on. One reader per output turns it into
 * validation and OpenAPI (schemas.ts), columns (columns.ts), the stored body (present.ts) and
 * routes (routes.ts). `Name` is the names of record types, which follow from record-types.ts.
 */

import type { ImportNames } from "./import-names/index.ts";

/** What a caller may send. Limits are characters, list elements or the number itself. */
export type FieldDefinition<Name extends string = string> = { readonly required?: true } & (
  | { readonly kind: "text"; readonly max: number; readonly fallback?: string }
  | {
      readonly kind: "choice";
      readonly of: readonly string[];
      readonly fallback: string;
      /** Other spellings that are taken for a value, in bodies and in filters alike. */
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
  /** A whole number that may also come as digits in a string (the spec's "unspecified" numbers). */
  | { readonly kind: "digits"; readonly min: number; readonly max: number | "this year" }
  | { readonly kind: "epoch" }
  | { readonly kind: "ssn" }
  | { readonly kind: "flag" }
  | { readonly kind: "reference"; readonly to: Name }
  /** A list of objects; members that we do not know are kept. */
  | { readonly kind: "lines"; readonly members: readonly Member[] }
  | { readonly kind: "socials" }
  /** Addresses or numbers, of which `email` or `phone` is the main one: objects or texts. */
  | { readonly kind: "entries"; readonly of: "email" | "phone" }
  /** An object or a string, kept as it is (action_data). */
  | { readonly kind: "free" }
);

/** A known member of the objects in a `lines` field. None is required. */
export interface Member {
  readonly name: string;
  readonly kind: "text" | "money" | "line_detail";
}

/** What is returned beside what was sent, and how it comes about. */
export type DerivedDefinition<Name extends string = string> =
  | { readonly kind: "copy"; readonly of: string }
  | { readonly kind: "name_part"; readonly part: "first" | "last" }
  | { readonly kind: "email_list" }
  | { readonly kind: "phone_list" }
  /** The name of the record that a reference field names; follows a renaming. */
  | { readonly kind: "name_of"; readonly reference: string }
  | { readonly kind: "product"; readonly of: string; readonly by: string }
  /** True exactly while `field` has `value`; sending it sets the field. */
  | { readonly kind: "mirror"; readonly field: string; readonly value: string }
  /** The moment at which `field` took one of `values`; null while it has another. */
  | { readonly kind: "moment"; readonly field: string; readonly values: readonly string[] }
  | { readonly kind: "sequence"; readonly prefix: string; readonly start: number }
  /** Set by another operation (convert, import); `empty` until then. */
  | {
      readonly kind: "set_elsewhere";
      readonly type: "id" | "flag" | "object";
      readonly empty: null | false;
      /** The type of the record whose id it is, where it is one of ours. */
      readonly to?: Name;
    };

/** A list operation: what it filters on and the timestamp its dates select by. */
export interface Listing {
  readonly path: string;
  /** The timestamp that start_date and end_date select by; none on accounts and tasks means created_ts. */
  readonly on: Timestamp;
  /** Length of the default window. Only the window operations have one. */
  readonly windowHours?: number;
  readonly filter: readonly string[];
}

export type Timestamp = "created_ts" | "updated_ts" | "status_update_date" | "timestamp";

export interface SumOfLines {
  readonly lines: string;
  readonly amount: string;
  readonly count: string;
}

/** That a field has a value. */
export interface Condition {
  readonly field: string;
  readonly is: string;
}

export interface TypeDefinition<Name extends string = string> {
  /** Its pages and exports call it by this name and its table: a Lead, Leads. */
  readonly name: Name;
  /** The stem of the schema names in OpenAPI: LeadRequest, OpportunityUpdateRequest … */
  readonly schemaName: string;
  /** The name of the path parameter in PATCH, as the spec has it. */
  readonly idName: string;
  readonly table: string;
  /** The path of POST; PATCH is below it. */
  readonly writePath: string;
  /** Where one record is read; the first is the one that documentation names. */
  readonly readPaths: readonly string[];
  /** The member of a list's answer that holds the records; a bare array where there is none. */
  readonly envelope?: string;
  readonly description: string;
  readonly fields: Readonly<Record<string, FieldDefinition<Name>>>;
  /** At least one of these must be sent on create. */
  readonly oneOf?: readonly string[];
  /** Fields that are sent on create only; PATCH takes them back unchanged. */
  readonly frozen?: readonly string[];
  /** Other names under which a field is taken, where the field itself is not sent. */
  readonly aliases: Readonly<Record<string, string>>;
  /** The field whose change moves status_update_date. */
  readonly statusField: string;
  readonly derived: Readonly<Record<string, DerivedDefinition<Name>>>;
  /** A field that is the sum of amount × count over its lines until a value is sent. */
  readonly follows?: Readonly<Record<string, SumOfLines>>;
  /**
   * A field that has a value only while another one has this value. It is cleared when that one changes, and an
   * empty text counts as null.
   */
  readonly onlyWhile?: Readonly<Record<string, Condition>>;
  /** A field that takes another one's value where it was not sent. */
  readonly defaultsTo?: Readonly<Record<string, string>>;
  /** A link to a record of any type: ours must exist, other words are kept unchecked. */
  readonly subject?: { readonly type: string; readonly id: string };
  /**
   * The lists by which two records of this type are known to be the same, by the word that tells of
   * it. Types that have it have duplicates, which can be merged.
   */
  readonly sameBy?: Readonly<Record<string, "email_list" | "phone_list">>;
  /** Whether `timestamp` stands beside `created_ts`. */
  readonly timestamp: boolean;
  readonly lists: Readonly<Record<string, Listing>>;
  /** Fields of which a merge takes all values from one record, or none. */
  readonly together?: readonly (readonly string[])[];
  /** Whether it has an operation that deletes a record. */
  readonly isDeletable?: true;
  /** Whether it is the type of companies, which files name by the domain of their website, too. */
  readonly isCompany?: true;
  /** The field by whose value files name a record; `name` if that has a column. */
  readonly foundBy?: string;
  /** Reasons of updates that are events as well. */
  readonly events?: readonly string[];
  /** The fields that pages show first, in this order; all fields without it. */
  readonly mainFields?: readonly string[];
  readonly icon?: Icon;
  /** What the files of other systems call its fields and their values. */
  readonly imports?: ImportNames<Name> | undefined;
}

export type Icon = "building" | "cart" | "checklist" | "invoice" | "people" | "person" | "target";

/** Whether a text has room for notes: pages show it in a text area, and imports join columns in it. */
export const isLongText = (field: FieldDefinition | undefined): boolean =>
  field?.kind === "text" && field.max > 2048;

type Plain = FieldDefinition<never>;
type Wanted = Pick<Plain, "required">;
/** What a field of a kind says of itself. */
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
