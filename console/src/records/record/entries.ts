/**
 * Additional email addresses and phone numbers, as shown in a form: the entries of `email_list` and
 * `phone_list` other than `email` and `phone`.
 */

import { extensionOf } from "../../ui/format/index.ts";
import type { Draft, RecordType, Stored } from "./record-types.ts";

export type EntryKind = "email" | "phone";

/** An entry in a form: type, address or number, and members that Leadport does not define. */
export type Row = Readonly<Record<string, unknown>>;

/** An entry of a stored record. */
export interface Entry extends Row {
  readonly type: string;
  readonly email?: string;
  readonly phone?: string;
  readonly country?: string | null;
  readonly formatted_phone?: string | null;
}

const MAIN = "Main";
export const isMain = ({ type }: Entry): boolean => type === MAIN;

/** Returns the entry lists of a type, by field. */
export const listsOf = ({ fields }: RecordType): readonly (readonly [string, EntryKind])[] =>
  Object.entries(fields).flatMap(([name, field]) =>
    field.kind === "entries" ? [[name, field.of] as const] : [],
  );

/** Returns the main number of a record as stored in its list of numbers; undefined if there is none. */
export const mainPhone = (record: Draft): (Entry & { readonly phone: string }) | undefined =>
  ((record["phone_list"] ?? []) as readonly Entry[]).find(
    (entry): entry is Entry & { readonly phone: string } =>
      isMain(entry) && entry.phone !== undefined,
  );

/** Returns a number in a form, in a format valid in every country. Input that is not a number stays unchanged. */
function editable({ phone = "", formatted_phone = null }: Entry): string {
  if (formatted_phone === null) return phone;
  return `+${phone}${extensionOf(formatted_phone)}`;
}

const entriesIn = (record: Stored | undefined, name: string): readonly Entry[] =>
  (record?.[name] ?? []) as readonly Entry[];

/** Returns an entry as a form shows it, without derived members. */
function rowOf(entry: Entry, kind: EntryKind): Row {
  const { email_validation_dict: _, country: __, formatted_phone: ___, ...rest } = entry;
  return kind === "phone" ? { ...rest, phone: editable(entry) } : rest;
}

/** Returns a record's entries except the main one. */
export const rowsOf = (record: Stored, name: string, kind: EntryKind): readonly Row[] =>
  entriesIn(record, name)
    .filter((entry) => !isMain(entry))
    .map((entry) => rowOf(entry, kind));

export const textIn = (row: Row, kind: EntryKind): string => String(row[kind] ?? "");

/** Returns the number of entries that precede the form's rows in the list that is sent. */
export const sentBefore = (draft: Draft, kind: EntryKind): number => (draft[kind] ? 1 : 0);

/**
 * Builds the complete list for a form. An existing entry keeps the members that Leadport does not
 * define, even if it becomes or stops being the main one.
 */
export function listIn(
  draft: Draft,
  name: string,
  kind: EntryKind,
  record: Stored | undefined,
): readonly Row[] {
  const main = sentBefore(draft, kind) === 1 ? [{ type: MAIN, [kind]: draft[kind] }] : [];
  const rows: readonly Row[] = [...main, ...((draft[name] ?? []) as readonly Row[])];
  const stored = entriesIn(record, name).map((entry) =>
    // In a form, the main entry is the record's own field.
    isMain(entry) ? { ...rowOf(entry, kind), [kind]: record?.[kind] } : rowOf(entry, kind),
  );
  return rows.map((row) => ({
    ...stored.find((one) => textIn(one, kind) === textIn(row, kind)),
    ...row,
  }));
}

/** Makes a row the main entry and turns the previous main entry into a row. */
export function withMain(draft: Draft, name: string, kind: EntryKind, at: number): Draft {
  const rows = (draft[name] ?? []) as readonly Row[];
  const chosen = rows[at] as Row;
  const former = draft[kind] ? [{ type: chosen["type"], [kind]: draft[kind] }] : [];
  return { [kind]: textIn(chosen, kind), [name]: rows.toSpliced(at, 1, ...former) };
}
