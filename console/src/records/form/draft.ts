/**
 * The values of a form: how they are initialized from a record or defaults, and which of them are
 * sent.
 */

import { kindFor } from "../../kinds/index.ts";
import { applicable, type Draft, type RecordType, type Stored } from "../../record/index.ts";

export type Purpose = "create" | "patch";

/** Returns the initial values for a new record: the service's defaults and the given values. */
export function emptyDraft(type: RecordType, given: Draft = {}): Draft {
  const values = Object.values(type.fields).map(({ name, default: fallback }) => [
    name,
    given[name] ?? fallback ?? kindFor(type, name).empty ?? null,
  ]);
  return Object.fromEntries(values) as Draft;
}

/** Returns the initial values for editing a record. */
export const draftOf = (type: RecordType, record: Stored): Draft =>
  Object.fromEntries(
    Object.keys(type.fields).map((name) => {
      const { toDraft } = kindFor(type, name);
      return [name, toDraft === undefined ? (record[name] ?? null) : toDraft(record, name)];
    }),
  );

/** Whether two values are equal as JSON. */
export const isSame = (a: unknown, b: unknown): boolean =>
  a === b || JSON.stringify(a ?? null) === JSON.stringify(b ?? null);

const isNothing = (value: unknown): boolean =>
  value === null || value === undefined || value === "";

/** Returns the draft without empty rows. */
export const withoutEmptyRows = (type: RecordType, draft: Draft): Draft =>
  Object.fromEntries(
    Object.entries(draft).map(([name, value]) => {
      const { tidy } = kindFor(type, name);
      return [name, tidy === undefined ? value : tidy(value)];
    }),
  );

/** Returns the values in the form in which they are sent: lists with their main entry. */
const toSend = (type: RecordType, draft: Draft, sent: Draft, record?: Stored): Draft =>
  Object.fromEntries(
    Object.entries(sent).map(([name, value]) => {
      const { toSend: convert } = kindFor(type, name);
      return [name, convert === undefined ? value : convert(draft, name, record)];
    }),
  );

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
  return toSend(type, draft, applicable(type, draft, Object.fromEntries(filled)));
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
  toSend(type, { ...draftOf(type, record), ...changes }, changes, record);
