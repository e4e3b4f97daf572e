/**
 * The parts of record types that are the same for all tenants: names, tables and paths. Tenants can neither add nor
 * rename types. Their fields and lists are not part of it; for those, use a tenant's type (registry.ts).
 */

import { BUILT_IN_TYPES, type RecordName, type RecordType } from "./record-types.ts";

export type TypeFacts = Pick<
  RecordType,
  | "name"
  | "schemaName"
  | "idName"
  | "table"
  | "writePath"
  | "description"
  | "statusField"
  | "subject"
  | "sameBy"
  | "events"
  | "imports"
>;

export const TYPE_FACTS: {
  readonly [Name in RecordName]: TypeFacts & { readonly name: Name };
} = BUILT_IN_TYPES;

const ALL: readonly TypeFacts[] = Object.values(TYPE_FACTS);

export const RECORD_NAMES: readonly RecordName[] = ALL.map(({ name }) => name);

/** The tables that contain records. */
export const RECORD_TABLES: ReadonlySet<string> = new Set(ALL.map(({ table }) => table));
