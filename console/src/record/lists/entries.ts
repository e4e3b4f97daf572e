/**
 * Converts additional email addresses and phone numbers for forms: all entries of `email_list` and `phone_list` except
 * the main entries, which are in `email` and `phone`.
 */

import { extensionOf } from "../../ui/format/index.ts";
import type { Draft, Stored } from "../record-types.ts";

export type EntryKind = "email" | "phone";

/**
 * An entry in a form: its type, its address or number, and members that Leadport does not define.
 */
export type Row = Readonly<Record<string, unknown>>;

/** An entry in a stored record. */
export interface Entry extends Row {
  readonly type: string;
  readonly email?: string;
  readonly phone?: string;
  readonly country?: string | null;
  readonly formatted_phone?: string | null;
}

const MAIN = "Main";
export const isMain = ({ type }: Entry): boolean => type === MAIN;

/** Returns a record's main phone number as stored in `phone_list`; undefined if there is none. */
export const mainPhone = (record: Draft): (Entry & { readonly phone: string }) | undefined =>
  ((record["phone_list"] ?? []) as readonly Entry[]).find(
    (entry): entry is Entry & { readonly phone: string } =>
      isMain(entry) && entry.phone !== undefined,
  );

/**
 * Formats a phone number for a form so that it is valid in every country. Input that is not a
 * number is returned unchanged.
 */
function editable({ phone = "", formatted_phone = null }: Entry): string {
  if (formatted_phone === null) return phone;
  return `+${phone}${extensionOf(formatted_phone)}`;
}

const entriesIn = (record: Stored | undefined, name: string): readonly Entry[] =>
  (record?.[name] ?? []) as readonly Entry[];

/** Returns an entry as shown in a form, without derived members. */
function rowOf(entry: Entry, kind: EntryKind): Row {
  const { email_validation_dict: _, country: __, formatted_phone: ___, ...rest } = entry;
  return kind === "phone" ? { ...rest, phone: editable(entry) } : rest;
}

/** Returns all of a record's entries except the main entry. */
export const rowsOf = (record: Stored, name: string, kind: EntryKind): readonly Row[] =>
  entriesIn(record, name)
    .filter((entry) => !isMain(entry))
    .map((entry) => rowOf(entry, kind));

export const textIn = (row: Row, kind: EntryKind): string => String(row[kind] ?? "");

/** Returns how many entries precede the form's rows in the list that is sent. */
export const sentBefore = (draft: Draft, kind: EntryKind): number => (draft[kind] ? 1 : 0);

/**
 * Builds the complete list from a form. An existing entry keeps the members that Leadport does not define, even if it
 * becomes or stops being the main entry.
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
    // The form shows the main entry as the record's own `email` or `phone`.
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
