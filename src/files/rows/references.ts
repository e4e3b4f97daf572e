/**
 * Adds the ids of referenced records to a row's body, or rejects the row. The caller has access to the records and
 * looks them up.
 */

import { type RecordName, type RecordType, subjectWord } from "../../records/types/index.ts";
import { keepNote } from "./row-completion.ts";
import type { RefusedRow, RowInput } from "./row-input.ts";
import {
  displayNameOf,
  type Link,
  type ReferenceName,
  type WantedReference,
} from "./row-references.ts";
import { sentenceOf, type Warning } from "./row-warnings.ts";

/** The result of looking up a string: the id of a record, or whether the string matches no record or several. */
export type Resolution =
  | { readonly id: string }
  | { readonly none: true }
  | { readonly several: true };

/** Looks up a record of the given type by a string from a row of the file. */
export type Resolve = (to: RecordName, text: string) => Resolution;

export interface ReferenceContext {
  readonly resolve: Resolve;
  /** The ids of records created for these rows. The first row that uses an id removes it from the set. */
  readonly created: Set<string>;
  readonly strict: boolean;
  /** Whether the import updates existing records, which already have the references they need. */
  readonly isUpdate: boolean;
}

/** Returns all lookups that a batch of rows needs, without duplicates. */
export function wantedLookups(
  rows: Iterable<RowInput>,
): ReadonlyMap<RecordName, ReadonlySet<string>> {
  const wanted = new Map<RecordName, Set<string>>();
  for (const { references } of rows) {
    for (const { to, text } of references.flatMap(({ names }) => names)) {
      const known = wanted.get(to) ?? new Set();
      wanted.set(to, known.add(text));
    }
  }
  return wanted;
}

/**
 * Adds the ids of references to a row's body. If an optional reference matches nothing, it is kept as a note and
 * counted. If a required one matches nothing, the row is rejected.
 */
export function settleReferences(
  type: RecordType,
  row: RowInput,
  context: ReferenceContext,
): RowInput | RefusedRow {
  const body = { ...row.body };
  const warnings: Warning[] = [...row.warnings];
  const open: string[] = [];
  const links: Link[] = [];
  const onlyNew = [...row.onlyNew];
  for (const wanted of row.references) {
    const { field } = wanted;
    const found = findReference(wanted, context.resolve);
    if ("id" in found) {
      const isNew = context.created.delete(found.id);
      links.push({ field, outcome: isNew ? "created" : "matched" });
      body[field] = found.id;
      const { subject } = type;
      if (field === subject?.id) body[subject.type] = subjectWord(found.to);
      continue;
    }
    const isAmbiguous = "several" in found;
    links.push({ field, outcome: isAmbiguous ? "ambiguous" : "not_found" });
    const kind = isAmbiguous ? "ambiguous" : "unresolved";
    const warning: Warning = { kind, field, word: displayNameOf(wanted) };
    open.push(sentenceOf(warning));
    warnings.push(warning);
    keepUnresolved(type, body, wanted);
    // The name of a company that was not found must not replace the employer of an existing record.
    if (nameEmployer(type, body, wanted)) onlyNew.push("employer_name");
  }
  const reason = open.join("; ");
  if (open.length > 0 && (context.strict || (!context.isUpdate && lacksLink(type, body)))) {
    return { line: row.line, raw: row.raw, reason, links };
  }
  return { ...row, body, references: [], onlyNew, warnings, links };
}

/** Returns the record that a reference refers to. Its names are tried in order, and the first match is used. */
export function findReference(
  { names }: WantedReference,
  resolve: Resolve,
): { readonly id: string; readonly to: RecordName } | Exclude<Resolution, { readonly id: string }> {
  let best: Exclude<Resolution, { readonly id: string }> = { none: true };
  for (const { to, text } of names) {
    const found = resolve(to, text);
    if ("id" in found) return { id: found.id, to };
    if ("several" in found) best = found;
  }
  return best;
}

/**
 * Adds a reference that was not found to the row's notes. For each column, only the first string is added, because it
 * contains the whole cell. The strings after it are parts of the cell.
 */
function keepUnresolved(
  type: RecordType,
  body: Record<string, unknown>,
  { names }: WantedReference,
): void {
  const texts = new Map<string, string>();
  for (const { heading, text } of names) if (!texts.has(heading)) texts.set(heading, text);
  for (const [heading, text] of texts) keepNote(type, body, `${heading} in the file: ${text}`);
}

/**
 * If a company was not found, uses its name as the person's employer, unless the row already has one. Returns whether
 * the name was used.
 */
function nameEmployer(
  type: RecordType,
  body: Record<string, unknown>,
  { field, names }: WantedReference,
): boolean {
  const employer = type.fields["employer_name"];
  const name = names.find(({ kind }: ReferenceName) => kind === "name")?.text;
  if (field !== "account_id" || employer?.kind !== "text" || name === undefined) return false;
  if (name.length > employer.max || body["employer_name"] !== undefined) return false;
  body["employer_name"] = name;
  return true;
}

function lacksLink(type: RecordType, body: Readonly<Record<string, unknown>>): boolean {
  const required = Object.entries(type.fields).some(
    ([name, field]) => field.required === true && body[name] === undefined,
  );
  return required || (type.oneOf?.every((name) => body[name] === undefined) ?? false);
}
