/**
 * One row → what would be sent to create the record, with the references it wants and what was
 * not taken as it stood (D10.3, D10.4). Pure: nothing is looked up here.
 */

import type { Field, RecordType } from "../records/index.ts";
import { readCell, textOf } from "./cell.ts";
import { contactMembers } from "./contact-lists.ts";
import { readDay, readSerial, type DateOrders } from "./dates.ts";
import { DELETED, JOINED_FIELDS } from "./heading-names.ts";
import { plainWord, type Mapping } from "./mapping.ts";
import { bestHeading, cellText, contextOf, isDeleted } from "./row-cells.ts";
import { addNote, completeRow, type Draft } from "./row-completion.ts";
import { referenceIn, referredTypes, type Link, type WantedReference } from "./row-references.ts";
import type { Row } from "./rows.ts";
import { renderTemplate } from "./template.ts";

/** Why a row was not taken as it stood. `unresolved` is told by references.ts. */
export type WarningKind =
  | "unknown_word"
  | "unreadable_value"
  | "made_name"
  | "made_line"
  | "damaged_text"
  | "unresolved"
  | "ambiguous";

export interface Warning {
  readonly kind: WarningKind;
  readonly field?: string;
  /** What the file says; never for secrets. */
  readonly word?: string;
}

/** A row that can be taken, as soon as its references are known. */
export interface RowInput {
  readonly line: number;
  readonly raw: string;
  /** The body of the create operation, without the wanted references. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly references: readonly WantedReference[];
  /** Epoch seconds at which the deal was closed; only where its stage is a closed one. */
  readonly closed_ts?: number;
  readonly external_id?: string;
  /** Fields of which the row says nothing; a record that is there keeps its own (D10.5). */
  readonly onlyNew: readonly string[];
  readonly warnings: readonly Warning[];
  /** What became of the references. */
  readonly links?: readonly Link[];
}

export interface RefusedRow {
  readonly line: number;
  readonly raw: string;
  readonly reason: string;
  readonly links?: readonly Link[];
  /** The file itself marks the row as deleted: it is no reject. */
  readonly isSkipped?: true;
}

export const isRefused = (row: RowInput | RefusedRow): row is RefusedRow => "reason" in row;

/** Reads one row. With `strict` whatever would be a warning refuses it (D10.4). */
export function readRow(row: Row, mapping: Mapping): RowInput | RefusedRow {
  if (isDeleted(row, mapping)) {
    return {
      line: row.line,
      raw: row.raw,
      reason: "the file marks it as deleted",
      isSkipped: true,
    };
  }
  const draft: Draft = { body: {}, references: [], warnings: [], notes: [] };
  if (row.raw.includes("\uFFFD")) draft.warnings.push({ kind: "damaged_text" });
  for (const target of targetsIn(mapping)) {
    if (target !== DELETED) readTarget(row, target, mapping, draft);
  }
  const { refusal, closed_ts } = completeRow(draft, mapping);
  const reason = refusal ?? tooLong(mapping.type, draft.body) ?? strictRefusal(mapping, draft);
  if (reason !== undefined) return { line: row.line, raw: row.raw, reason };
  const { external_id } = draft.body;
  return {
    line: row.line,
    raw: row.raw,
    body: draft.body,
    references: draft.references,
    ...(closed_ts === undefined ? {} : { closed_ts }),
    ...(typeof external_id === "string" ? { external_id } : {}),
    onlyNew: [
      ...draft.warnings.filter(({ kind }) => kind === "made_name").map(() => "name"),
      ...draft.references.filter(({ byDefault }) => byDefault).map(({ field }) => field),
    ],
    warnings: draft.warnings,
  };
}

const targetsIn = ({ sources, templates }: Mapping) =>
  new Set([...templates.keys(), ...sources.keys()]);

function readTarget(row: Row, target: string, mapping: Mapping, draft: Draft): void {
  const headings = mapping.sources.get(target) ?? [];
  const template = mapping.templates.get(target);
  if (template !== undefined) {
    const made = renderTemplate(template, (part) => cellText(row, part, mapping));
    if (made !== "") {
      takeCell({ row, target, mapping, draft }, { heading: target, cell: made });
      // Free text of other columns is kept below it.
      const others = headings.filter((heading) => !template.parts.includes(heading));
      if (JOINED_FIELDS.includes(target))
        joinCells(row, { target, headings: others }, mapping, draft);
      return;
    }
  }
  const contacts = contactMembers(mapping.type, target, () =>
    headings.map((heading) => ({ heading, cell: row.cells.get(heading) })),
  );
  if (contacts !== undefined) {
    Object.assign(draft.body, contacts);
    return;
  }
  const typesOf = referredTypes(mapping, target, () => subjectType(row, mapping, draft));
  if (typesOf !== undefined) {
    const textOf = (heading: string) => cellText(row, heading, mapping).trim();
    const wanted = referenceIn(mapping, { target, typesOf, textOf });
    if (wanted !== undefined) draft.references.push(wanted);
  } else if (JOINED_FIELDS.includes(target) && headings.length > 1) {
    joinCells(row, { target, headings }, mapping, draft);
  } else {
    const heading = bestHeading(row, target, mapping);
    const typed = headings.find((name) => typeof row.cells.get(name) === "object");
    const from = heading ?? typed;
    if (from !== undefined) {
      takeCell({ row, target, mapping, draft }, { heading: from, cell: row.cells.get(from) });
    }
  }
}

/** What a row says its subject is, by a template or a column. */
function subjectType(row: Row, mapping: Mapping, { body }: Draft): string {
  if (mapping.templates.has("subject_type")) return String(body["subject_type"] ?? "");
  const [heading] = mapping.sources.get("subject_type") ?? [];
  return heading === undefined ? "" : cellText(row, heading, mapping).trim();
}

interface Place {
  readonly row: Row;
  readonly target: string;
  readonly mapping: Mapping;
  readonly draft: Draft;
}

function takeCell(
  { target, mapping, draft }: Place,
  { heading, cell }: { readonly heading: string; readonly cell: unknown },
): void {
  const { type, values } = mapping;
  const context = contextOf(target, heading, mapping);
  const { style } = context;
  const text = textOf(cell);
  const word = text === undefined ? cell : (values.get(heading)?.get(plainWord(text)) ?? text);
  const field: Field = type.fields[target] ?? { kind: "epoch" };
  const dated = style.serialDates && field.kind === "epoch" && typeof word === "string";
  const value = dated ? readSerial(word) : word;
  if (target === "birth_date") {
    takeBirthDate(String(value), style.dates, { heading, draft });
    return;
  }
  const read = readCell(field, value, context);
  if ("value" in read) draft.body[target] = read.value;
  else if ("unreadable" in read) keepUnread({ field, target, heading, word, draft });
}

interface Unread {
  readonly field: Field;
  readonly target: string;
  readonly heading: string;
  readonly word: unknown;
  readonly draft: Draft;
}

/** What cannot be taken is kept in the record as the file has it; a secret never is. */
function keepUnread({ field, target, heading, word, draft }: Unread): void {
  const kind = field.kind === "choice" ? "unknown_word" : "unreadable_value";
  if (field.kind === "ssn") {
    draft.warnings.push({ kind, field: target });
    return;
  }
  const text = textOf(word) ?? JSON.stringify(word);
  draft.warnings.push({ kind, field: target, word: text.trim() });
  draft.notes.push(`${heading} in the file: ${text.trim()}`);
}

function takeBirthDate(
  text: string,
  orders: DateOrders,
  { heading, draft }: { readonly heading: string; readonly draft: Draft },
): void {
  const day = readDay(text, orders);
  if (day === undefined || day.year < 1900) {
    keepUnread({ field: { kind: "epoch" }, target: "birth_date", heading, word: text, draft });
    return;
  }
  draft.body["birth_year"] ??= day.year;
  draft.body["birth_month"] ??= day.month;
  draft.body["birth_day"] ??= day.day;
}

/** Several columns of free text stand below each other, each after its heading. */
function joinCells(
  row: Row,
  { target, headings }: { readonly target: string; readonly headings: readonly string[] },
  mapping: Mapping,
  draft: Draft,
): void {
  for (const heading of headings) {
    const text = cellText(row, heading, mapping).trim();
    if (text !== "") addNote(draft.body, target, `${heading}: ${text}`);
  }
}

/** A text that is too long is refused, never cut. */
function tooLong(type: RecordType, body: Readonly<Record<string, unknown>>): string | undefined {
  for (const [name, value] of Object.entries(body)) {
    const field = type.fields[name];
    if (field?.kind !== "text" || typeof value !== "string") continue;
    if (value.includes("\u0000")) return `${name} holds the character U+0000`;
    const length = value.length > field.max ? [...value].length : 0;
    if (length > field.max) return `${name} has ${length} characters; ${field.max} is the most`;
  }
  return undefined;
}

function strictRefusal({ strict }: Mapping, { warnings }: Draft): string | undefined {
  if (!strict || warnings.length === 0) return undefined;
  return warnings.map(sentenceOf).join("; ");
}

const SENTENCES: Readonly<Record<WarningKind, string>> = {
  unknown_word: "is not a known value",
  unreadable_value: "cannot be read",
  made_name: "the row has no name of its own",
  made_line: "the row has no lines of its own",
  damaged_text: "the row holds characters that cannot be read",
  unresolved: "names no record",
  ambiguous: "names several records",
};

/** A warning as a person reads it. */
export function sentenceOf({ kind, field, word }: Warning): string {
  if (kind === "ambiguous") return `${field ?? ""}: several are called "${word ?? ""}"`;
  if (word !== undefined) return `${field ?? ""}: "${word}" ${SENTENCES[kind]}`;
  return field === undefined || kind.startsWith("made")
    ? SENTENCES[kind]
    : `${field} ${SENTENCES[kind]}`;
}
