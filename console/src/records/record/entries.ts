/**
 * Further addresses and numbers of a record: entries of `email_list` and `phone_list` next to `email` and
 * `phone`, as a form has them.
 */

import { extensionOf } from "../../ui/format/index.ts";
import type { Draft, RecordType, Stored } from "./record-types.ts";

export type EntryKind = "email" | "phone";

/** An entry in a form: its type, its address or number, and members that Leadport does not know. */
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

/** The lists that a type has, by field. */
export const listsOf = ({ fields }: RecordType): readonly (readonly [string, EntryKind])[] =>
  Object.entries(fields).flatMap(([name, field]) =>
    field.kind === "entries" ? [[name, field.of] as const] : [],
  );

/** The main number of a record as its list of numbers has it; undefined without one. */
export const mainPhone = (record: Draft): (Entry & { readonly phone: string }) | undefined =>
  ((record["phone_list"] ?? []) as readonly Entry[]).find(
    (entry): entry is Entry & { readonly phone: string } =>
      isMain(entry) && entry.phone !== undefined,
  );

/** A number in a form that is read alike in every country; a text that is no number stays as it is. */
function editable({ phone = "", formatted_phone = null }: Entry): string {
  if (formatted_phone === null) return phone;
  return `+${phone}${extensionOf(formatted_phone)}`;
}

const entriesIn = (record: Stored | undefined, name: string): readonly Entry[] =>
  (record?.[name] ?? []) as readonly Entry[];

/** An entry as a form has it: without the members that are derived. */
function rowOf(entry: Entry, kind: EntryKind): Row {
  const { email_validation_dict: _, country: __, formatted_phone: ___, ...rest } = entry;
  return kind === "phone" ? { ...rest, phone: editable(entry) } : rest;
}

/** A record's entries without the main one. */
export const rowsOf = (record: Stored, name: string, kind: EntryKind): readonly Row[] =>
  entriesIn(record, name)
    .filter((entry) => !isMain(entry))
    .map((entry) => rowOf(entry, kind));

export const textIn = (row: Row, kind: EntryKind): string => String(row[kind] ?? "");

/** How many entries are before the rows of a form in the list that is sent. */
export const sentBefore = (draft: Draft, kind: EntryKind): number => (draft[kind] ? 1 : 0);

/**
 * The whole list that a form stands for. An entry that `record` has keeps the members that Leadport does not
 * know, also if it became the main one or was it before.
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
    // A form has the main one as the record's own field.
    isMain(entry) ? { ...rowOf(entry, kind), [kind]: record?.[kind] } : rowOf(entry, kind),
  );
  return rows.map((row) => ({
    ...stored.find((one) => textIn(one, kind) === textIn(row, kind)),
    ...row,
  }));
}

/** The form with a row as the main one, and the main one in its place. */
export function withMain(draft: Draft, name: string, kind: EntryKind, at: number): Draft {
  const rows = (draft[name] ?? []) as readonly Row[];
  const chosen = rows[at] as Row;
  const former = draft[kind] ? [{ type: chosen["type"], [kind]: draft[kind] }] : [];
  return { [kind]: textIn(chosen, kind), [name]: rows.toSpliced(at, 1, ...former) };
}
