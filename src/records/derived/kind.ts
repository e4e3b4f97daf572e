/** The members that every kind of derived member defines. Each kind is a file in this folder and a line in index.ts. */

import type { Json, JsonObject } from "../../platform/json/index.ts";
import type { Schema } from "../../platform/validation/index.ts";
import type { ColumnKind, SummaryUse } from "../kinds/index.ts";

export type Values = Record<string, Json>;

/** A record's values before it is written. */
export interface Draft {
  readonly values: Values;
  /** Fields that are normally computed but were set explicitly, so they keep their value. */
  readonly stands: readonly string[];
}

/** The data that computing a body needs in addition to a draft. */
export interface Surroundings {
  readonly id: string;
  /** Whole epoch seconds, for `close_date` and `completed_date`. */
  readonly now_s: number;
  readonly owner: { readonly userid: string; readonly user_name: string | null };
  readonly createdBy: string;
  /** Names of referenced records, by reference field. */
  readonly names: Readonly<Record<string, string | null>>;
  /** The stored body, for an existing record. */
  readonly stored?: JsonObject;
}

/** What a member's schema needs to know about the record type. */
export interface TypeFacts {
  readonly name: string;
  /** Returns the name of the record type that a reference field refers to. */
  targetOf(field: string): string;
  /** Returns the schema of a field in responses. */
  schemaOf(field: string): Schema;
}

interface Own<D> {
  /** The JSON Schema in responses. */
  schema(derived: D, type: TypeFacts): Schema;
  /** The description in docs/records.md. */
  docs(derived: D): string;
  /** The kind of the column that lists filter and sort by. Undefined if they cannot. */
  column?(derived: D): ColumnKind | undefined;
  readonly summary?: SummaryUse;
}

export interface DerivedKind<D> extends Own<D> {
  /** Returns the name of the kind in `GET /crm/fields`. `kindOf` returns that of a field. Default: text. */
  kindName(derived: D, kindOf: (field: string) => string): string;
  /** How the value is set, for `GET /crm/fields`. Default: computed. */
  origin(derived: D): JsonObject;
  /** Returns further members of the definition in `GET /crm/fields`. Default: none. */
  details(derived: D): JsonObject;
  /** Computes the member `name` of a record. Default: the value in the draft. */
  value(derived: D, name: string, draft: Draft, around: Surroundings): Json;
}

/** Defines a kind of derived member. */
export const derivedKind = <D>(kind: Own<D> & Partial<DerivedKind<D>>): DerivedKind<D> => ({
  kindName: () => "text",
  origin: () => ({ rule: "computed" }),
  details: () => ({}),
  value: (_, name, { values }) => values[name] ?? null,
  ...kind,
});
