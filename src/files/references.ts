/**
 * What the references of a row turned out to be → the body that is sent, or why the row cannot be
 * taken (D10.3, D3.8). The looking up is done by whoever has the records.
 */

import type { RecordName, RecordType } from "../records/index.ts";
import { keepNote } from "./row-completion.ts";
import {
  sentenceOf,
  type RefusedRow,
  type RowInput,
  type WantedReference,
  type Warning,
} from "./row-input.ts";

/** The id of the record that a text names, or how many it could be. */
export type Resolution =
  | { readonly id: string }
  | { readonly none: true }
  | { readonly several: true };

/** Looks up a text as an id, an external id or an exact name of a record of this type. */
export type Resolve = (to: RecordName, text: string) => Resolution;

/** What a task calls the record types that it can be about (D7). */
const SUBJECT_TYPE: Readonly<Partial<Record<RecordName, string>>> = { deal: "opportunity" };

/** Every look-up that a batch of rows needs, each once. */
export function wantedLookups(
  rows: Iterable<RowInput>,
): ReadonlyMap<RecordName, ReadonlySet<string>> {
  const wanted = new Map<RecordName, Set<string>>();
  for (const { references } of rows) {
    for (const { to, texts } of references) {
      const known = wanted.get(to) ?? new Set();
      for (const text of texts) known.add(text);
      wanted.set(to, known);
    }
  }
  return wanted;
}

/**
 * Puts the ids into the body. A reference that the record can do without and that names nothing is
 * kept as a note and counted; one that it needs refuses the row.
 */
export function settleReferences(
  type: RecordType,
  row: RowInput,
  {
    resolve,
    strict,
    isUpdate = false,
  }: {
    readonly resolve: Resolve;
    readonly strict: boolean;
    /** Whether the record exists: then it has the links that it needs. */
    readonly isUpdate?: boolean;
  },
): RowInput | RefusedRow {
  const body = { ...row.body };
  const warnings: Warning[] = [...row.warnings];
  const open: string[] = [];
  for (const wanted of row.references) {
    const found = firstFound(wanted, resolve);
    if ("id" in found) {
      body[wanted.field] = found.id;
      if (wanted.field === "subject") body["subject_type"] = SUBJECT_TYPE[wanted.to] ?? wanted.to;
      continue;
    }
    const word = wanted.texts[0] ?? "";
    const warning: Warning = { kind: "unresolved", field: wanted.field, word };
    open.push(
      "several" in found ? `${wanted.field}: several are called "${word}"` : sentenceOf(warning),
    );
    warnings.push(warning);
    keepNote(type, body, `${wanted.heading} in the file: ${word}`);
  }
  const reason = open.join("; ");
  if (open.length > 0 && (strict || (!isUpdate && lacksLink(type, body)))) {
    return { line: row.line, raw: row.raw, reason };
  }
  return { ...row, body, references: [], warnings };
}

function firstFound({ to, texts }: WantedReference, resolve: Resolve): Resolution {
  let best: Resolution = { none: true };
  for (const text of texts) {
    const found = resolve(to, text);
    if ("id" in found) return found;
    if ("several" in found) best = found;
  }
  return best;
}

function lacksLink(type: RecordType, body: Readonly<Record<string, unknown>>): boolean {
  const required = Object.entries(type.fields).some(
    ([name, field]) => field.required === true && body[name] === undefined,
  );
  return required || (type.oneOf?.every((name) => body[name] === undefined) ?? false);
}
