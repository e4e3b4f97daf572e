/**
 * The values of a form: how they are initialized from a record or defaults, and which of them are
 * sent.
 */

import {
  applicable,
  type Draft,
  type Field,
  listIn,
  listsOf,
  type RecordType,
  type Row,
  rowsOf,
  type Stored,
} from "../../record/index.ts";

export type Purpose = "create" | "patch";

const LISTS = new Set<Field["kind"]>(["tags", "lines", "social_profiles", "emails", "phones"]);

/** Returns the initial values for a new record: the service's defaults and the given values. */
export function emptyDraft(type: RecordType, given: Draft = {}): Draft {
  const begun = Object.entries(type.fields).map(([name, field]) => {
    return [name, given[name] ?? field.default ?? (LISTS.has(field.kind) ? [] : null)];
  });
  return Object.fromEntries(begun) as Draft;
}

/** Returns the initial values for editing a record. */
export const draftOf = (type: RecordType, record: Stored): Draft => ({
  ...Object.fromEntries(Object.keys(type.fields).map((name) => [name, record[name] ?? null])),
  ...Object.fromEntries(listsOf(type).map(([name, kind]) => [name, rowsOf(record, name, kind)])),
});

/** Whether two values are equal as JSON. */
export const isSame = (a: unknown, b: unknown): boolean =>
  a === b || JSON.stringify(a ?? null) === JSON.stringify(b ?? null);

const isNothing = (value: unknown): boolean =>
  value === null || value === undefined || value === "";

/** Whether a row of a list is empty. Nested values must be empty as well. */
const isEmptyRow = (row: unknown): boolean =>
  isNothing(row) || (typeof row === "object" && Object.values(row as object).every(isEmptyRow));

/** Returns the object without unnamed members; null if none remain. */
function namedMembers(value: unknown): unknown {
  if (typeof value !== "object" || value === null || !("" in value)) return value;
  const named = Object.entries(value).filter(([name]) => name !== "");
  return named.length === 0 ? null : Object.fromEntries(named);
}

/** Returns the draft without empty rows. */
export function withoutEmptyRows(type: RecordType, draft: Draft): Draft {
  const rows = Object.entries(type.fields)
    .filter(([, { kind }]) => kind === "lines" || kind === "social_profiles")
    .map(([name]) => [name, (draft[name] as unknown[]).filter((row) => !isEmptyRow(row))] as const);
  // An entry is empty if it has a type but no address or number.
  const entries = listsOf(type).map(([name, kind]) => [
    name,
    ((draft[name] ?? []) as readonly Row[]).filter((row) => !isNothing(row[kind])),
  ]);
  const free = Object.entries(type.fields)
    .filter(([, { kind }]) => kind === "object")
    .map(([name]) => [name, namedMembers(draft[name] ?? null)]);
  return { ...draft, ...Object.fromEntries([...rows, ...entries, ...free]) };
}

/** Completes each list in the request by adding its main entry. */
const listsIn = (type: RecordType, draft: Draft, sent: Draft, record?: Stored): Draft => ({
  ...sent,
  ...Object.fromEntries(
    listsOf(type)
      .filter(([name]) => name in sent)
      .map(([name, kind]) => [name, listIn(draft, name, kind, record)]),
  ),
});

/** Returns the required fields that have no value. An empty list counts as a value. */
export const missingIn = (type: RecordType, names: readonly string[], draft: Draft): string[] =>
  names.filter((name) => type.fields[name]?.required === true && isNothing(draft[name]));

/**
 * Returns the body of the request that creates the record: fields with a value, and required lists
 * even if they are empty.
 */
export const bodyOf = (type: RecordType, draft: Draft): Draft => {
  const filled = Object.entries(draft).filter(([name, value]) => {
    const field = type.fields[name];
    if (field === undefined || isNothing(value)) return false;
    return field.required || !(Array.isArray(value) && value.length === 0);
  });
  return listsIn(type, draft, applicable(type, draft, Object.fromEntries(filled)));
};

/** Whether a field can be changed with PATCH. */
export const isChangeable = (type: RecordType, name: string): boolean =>
  type.fields[name]?.frozen === false;

/** Returns the fields of a form that differ from its initial values. Lists do not contain their main entries. */
export const changesOf = (type: RecordType, base: Draft, draft: Draft): Draft => {
  const changed = Object.entries(draft).filter(
    ([name, value]) => isChangeable(type, name) && !isSame(value, base[name]),
  );
  return applicable(type, draft, Object.fromEntries(changed));
};

/**
 * Returns the body of the request that makes these changes to `record`. The main entries of changed lists are the email
 * address and phone number that the record has after the request.
 */
export const patchOf = (type: RecordType, record: Stored, changes: Draft): Draft =>
  listsIn(type, { ...draftOf(type, record), ...changes }, changes, record);
