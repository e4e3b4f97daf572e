/**
 * One row → what would be sent to create the record, with the references it wants and what was
 * not taken as it stood. Pure: nothing is looked up here.
 */

import { once } from "../../platform/clock/index.ts";
import { isLongText, type RecordType } from "../../records/index.ts";
import { DELETED, type Mapping } from "../columns/index.ts";
import { textOf } from "./cell.ts";
import { contactMembers, type ContactMembers } from "./contact-lists.ts";
import { keepUnread, noteCurrency, takeCell } from "./field-values.ts";
import { bestHeading, cellText, isDeleted, mapped, rendered } from "./row-cells.ts";
import { addNote, completeRow, type Draft } from "./row-completion.ts";
import { referenceIn, referredTypes, type Link, type WantedReference } from "./row-references.ts";
import { sentenceOf, type Warning } from "./row-warnings.ts";
import type { Row } from "../read/index.ts";

/** A row that can be taken, as soon as its references are known. */
export interface RowInput {
  readonly line: number;
  readonly raw: string;
  /** The body of the create operation, without the wanted references. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly references: readonly WantedReference[];
  /** Epoch seconds at which the deal was closed; only where its stage is a closed one. */
  readonly closed_ts?: number;
  /** The field whose text is only what no field could take; a record that is there keeps its own, too. */
  readonly notesIn?: string;
  readonly external_id?: string;
  /** Fields of which the row says nothing; a record that is there keeps its own. */
  readonly onlyNew: readonly string[];
  /** Lists of which the row holds some entries; they are added to those of a record that exists. */
  readonly partialLists: readonly string[];
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

/** Reads one row. With `strict` whatever would be a warning refuses it. */
export function readRow(row: Row, mapping: Mapping): RowInput | RefusedRow {
  if (isDeleted(row, mapping)) {
    return {
      line: row.line,
      raw: row.raw,
      reason: "the file marks it as deleted",
      isSkipped: true,
    };
  }
  const draft: Draft = { body: {}, references: [], warnings: [], notes: [], partialLists: [] };
  if (row.raw.includes("\uFFFD")) draft.warnings.push({ kind: "damaged_text" });
  for (const target of targetsOf(mapping)) readTarget(row, target, mapping, draft);
  noteCurrency(row, mapping, draft);
  const { refusal, closed_ts, notesIn, onlyNew } = completeRow(draft, mapping);
  const reason = refusal ?? tooLong(mapping.type, draft.body) ?? strictRefusal(mapping, draft);
  if (reason !== undefined) return { line: row.line, raw: row.raw, reason };
  const { external_id } = draft.body;
  return {
    line: row.line,
    raw: row.raw,
    body: draft.body,
    references: draft.references,
    ...(closed_ts === undefined ? {} : { closed_ts }),
    ...(notesIn === undefined ? {} : { notesIn }),
    ...(typeof external_id === "string" ? { external_id } : {}),
    onlyNew: [
      ...onlyNew,
      ...(draft.warnings.some(({ kind }) => kind === "made_name") ? ["name"] : []),
      ...draft.references.flatMap(({ byDefault, field }) => (byDefault ? [field] : [])),
    ],
    partialLists: draft.partialLists,
    warnings: draft.warnings,
  };
}

/** The fields that rows are read into. */
const targetsOf = once(({ sources, templates }: Mapping): readonly string[] => {
  const targets = new Set([...templates.keys(), ...sources.keys()]);
  targets.delete(DELETED);
  return [...targets];
});

function readTarget(row: Row, target: string, mapping: Mapping, draft: Draft): void {
  const typesOf = referredTypes(row, target, mapping);
  if (typesOf !== undefined) {
    const wanted = referenceIn(row, { target, typesOf }, mapping);
    if (wanted !== undefined) draft.references.push(wanted);
    return;
  }
  const headings = mapping.sources.get(target) ?? [];
  const template = mapping.templates.get(target);
  if (template !== undefined) {
    const made = rendered(row, target, mapping);
    if (made !== "") {
      takeCell({ target, mapping, draft }, { heading: target, cell: made });
      // Free text of other columns is kept below it.
      const others = headings.filter((heading) => !template.parts.includes(heading));
      if (isLongText(mapping.type.fields[target]))
        joinCells(row, { target, headings: others }, mapping, draft);
      return;
    }
  }
  // Our own exports hold each value in its own column, as it is.
  const contacts = mapping.ownExport
    ? undefined
    : contactMembers(mapping.type, target, () =>
        headings.map((heading) => ({ heading, cell: mappedCell(row, heading, target, mapping) })),
      );
  if (contacts !== undefined) {
    takeContacts(contacts, target, mapping, draft);
  } else if (isLongText(mapping.type.fields[target]) && headings.length > 1) {
    joinCells(row, { target, headings }, mapping, draft);
  } else {
    const heading = bestHeading(row, target, mapping);
    const typed = headings.find((name) => typeof row.cells.get(name) === "object");
    const from = heading ?? typed;
    if (from !== undefined) {
      takeCell({ target, mapping, draft }, { heading: from, cell: row.cells.get(from) });
    }
  }
}

/** A cell after the value maps of its column and its field; lists and objects have none. */
function mappedCell(row: Row, heading: string, target: string, mapping: Mapping): unknown {
  const cell = row.cells.get(heading);
  return textOf(cell) === undefined
    ? cell
    : mapped(mapping, target, cellText(row, heading, mapping));
}

function takeContacts(
  { members, leftovers }: ContactMembers,
  target: string,
  { type }: Mapping,
  draft: Draft,
): void {
  Object.assign(draft.body, members);
  if (`${target}_list` in members) draft.partialLists.push(`${target}_list`);
  const field = type.fields[target];
  if (field === undefined) return;
  for (const leftover of leftovers) keepUnread({ field, target, draft, ...leftover });
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
  for (const name of Object.keys(body)) {
    const value = body[name];
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
