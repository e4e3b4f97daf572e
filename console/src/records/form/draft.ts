/** What a form holds: values as the API takes them, from a record or from nothing, and what of them is sent. */

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
} from "../record/index.ts";

export type Purpose = "create" | "patch";

const LISTS = new Set<Field["kind"]>(["tags", "lines", "socials", "entries"]);

/** What a new record begins with: what the service would choose, and what is known already. */
export function emptyDraft(type: RecordType, given: Draft = {}): Draft {
  const begun = Object.entries(type.fields).map(([name, field]) => {
    const fallback = "fallback" in field ? field.fallback : undefined;
    return [name, given[name] ?? fallback ?? (LISTS.has(field.kind) ? [] : null)];
  });
  return Object.fromEntries(begun) as Draft;
}

/** What the form of a record begins with. */
export const draftOf = (type: RecordType, record: Stored): Draft =>
  Object.fromEntries(
    Object.entries(type.fields).map(([name, field]) => [
      name,
      field.kind === "entries" ? rowsOf(record, name, field.of) : (record[name] ?? null),
    ]),
  );

/** Whether two values are the same as JSON. */
export const isSame = (a: unknown, b: unknown): boolean =>
  a === b || JSON.stringify(a ?? null) === JSON.stringify(b ?? null);

const isNothing = (value: unknown): boolean =>
  value === null || value === undefined || value === "";

/** Whether a row of a list says nothing: it holds no value, however deep. */
const isEmptyRow = (row: unknown): boolean =>
  isNothing(row) || (typeof row === "object" && Object.values(row as object).every(isEmptyRow));

/** Details without the members that have no name; null if none is left. */
function namedMembers(value: unknown): unknown {
  if (typeof value !== "object" || value === null || !("" in value)) return value;
  const named = Object.entries(value).filter(([name]) => name !== "");
  return named.length === 0 ? null : Object.fromEntries(named);
}

/** The draft without the rows that nobody filled in. */
export function withoutEmptyRows(type: RecordType, draft: Draft): Draft {
  const rows = Object.entries(type.fields)
    .filter(([, { kind }]) => kind === "lines" || kind === "socials")
    .map(([name]) => [name, (draft[name] as unknown[]).filter((row) => !isEmptyRow(row))] as const);
  // The type of an address or number alone says nothing.
  const entries = listsOf(type).map(([name, kind]) => [
    name,
    ((draft[name] ?? []) as readonly Row[]).filter((row) => !isNothing(row[kind])),
  ]);
  const free = Object.entries(type.fields)
    .filter(([, { kind }]) => kind === "free")
    .map(([name]) => [name, namedMembers(draft[name] ?? null)]);
  return { ...draft, ...Object.fromEntries([...rows, ...entries, ...free]) };
}

/** What is sent of the lists of a form that are among these names: each with its main entry. */
const listsIn = (type: RecordType, draft: Draft, sent: Draft, record?: Stored): Draft => ({
  ...sent,
  ...Object.fromEntries(
    listsOf(type)
      .filter(([name]) => name in sent)
      .map(([name, kind]) => [name, listIn(draft, name, kind, record)]),
  ),
});

/** The required fields that hold nothing. A list may be empty. */
export const missingIn = (type: RecordType, names: readonly string[], draft: Draft): string[] =>
  names.filter((name) => type.fields[name]?.required === true && isNothing(draft[name]));

/** What is sent to create it: what holds something, and lists that must be there, were they empty. */
export const bodyOf = (type: RecordType, draft: Draft): Draft => {
  const filled = Object.entries(draft).filter(([name, value]) => {
    const field = type.fields[name];
    if (field === undefined || isNothing(value)) return false;
    return field.required === true || !(Array.isArray(value) && value.length === 0);
  });
  return listsIn(type, draft, applicable(type, draft, Object.fromEntries(filled)));
};

/** Which fields PATCH takes. */
export const isChangeable = (type: RecordType, name: string): boolean =>
  name in type.fields && type.frozen?.includes(name) !== true;

/** What is sent to change `record`: the fields that differ from `base`, its draft. */
export const changesOf = (type: RecordType, record: Stored, base: Draft, draft: Draft): Draft => {
  const changed = Object.entries(draft).filter(
    ([name, value]) => isChangeable(type, name) && !isSame(value, base[name]),
  );
  return listsIn(type, draft, applicable(type, draft, Object.fromEntries(changed)), record);
};
