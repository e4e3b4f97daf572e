/**
 * Reads a row into the body of the record to create, its references, and warnings about values that were changed on
 * import. Does not look up any records.
 */

import { once } from "../../platform/clock/index.ts";
import { hasNoMembers } from "../../platform/json/index.ts";
import { isLongText, type RecordType } from "../../records/index.ts";
import { DELETED, type Mapping } from "../columns/index.ts";
import { textOf } from "./cell.ts";
import { contactMembers, type ContactMembers } from "./contact-lists.ts";
import { keepAsNote, noteCurrency, takeCell } from "./field-values.ts";
import { bestHeading, cellText, isDeleted, mapped, rendered } from "./row-cells.ts";
import { addNote, completeRow, dependsOnStatus, type Draft } from "./row-completion.ts";
import { noteDoubts } from "./row-doubts.ts";
import { referenceIn, referredTypes, type Link, type WantedReference } from "./row-references.ts";
import { sentenceOf, type Warning } from "./row-warnings.ts";
import type { Row } from "../read/index.ts";

/** A row that can be imported once its references have been looked up. */
export interface RowInput {
  readonly line: number;
  readonly raw: string;
  /** The body of the create operation, without references. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly references: readonly WantedReference[];
  /** When the deal was closed, in epoch seconds. Only for closed stages. */
  readonly closed_ts?: number;
  /** The field that contains only notes. An existing record keeps its own text in that field, too. */
  readonly notesIn?: string;
  readonly external_id?: string;
  /** Fields that are set only on new records. An existing record keeps its own values. */
  readonly onlyNew: readonly string[];
  /** Lists for which the row contains only some entries. They are added to those of an existing record. */
  readonly partialLists: readonly string[];
  readonly warnings: readonly Warning[];
  /** The outcomes of looking up the references. */
  readonly links?: readonly Link[];
  /**
   * Reads the row again for an existing record with this status. Set if the row has values whose meaning depends on the
   * status, but no status.
   */
  readonly forStatus?: (status: string) => RowInput | RefusedRow;
}

export interface RefusedRow {
  readonly line: number;
  readonly raw: string;
  readonly reason: string;
  readonly links?: readonly Link[];
  /** True if the file marks the row as deleted. Such a row does not count as a reject. */
  readonly isSkipped?: true;
}

export const isRefused = (row: RowInput | RefusedRow): row is RefusedRow => "reason" in row;

/** Reads a row. With `strict`, a row that would cause a warning is rejected. */
export function readRow(row: Row, mapping: Mapping): RowInput | RefusedRow {
  if (isDeleted(row, mapping)) {
    return {
      line: row.line,
      raw: row.raw,
      reason: "the file marks the row as deleted",
      isSkipped: true,
    };
  }
  const draft: Draft = {
    body: {},
    references: [],
    warnings: [],
    notes: [],
    partialLists: [],
    onlyNew: [],
  };
  if (row.raw.includes("\uFFFD")) draft.warnings.push({ kind: "damaged_text" });
  for (const target of targetsOf(mapping)) readTarget(row, target, mapping, draft);
  noteCurrency(row, mapping, draft);
  if (!mapping.ownExport) noteDoubts(draft);
  if (!dependsOnStatus(draft, mapping)) return finishRow(row, draft, mapping);
  const fresh = finishRow(row, structuredClone(draft), mapping);
  if (isRefused(fresh)) return fresh;
  return {
    ...fresh,
    forStatus: (status) => finishRow(row, structuredClone(draft), mapping, status),
  };
}

/** Completes the draft of a row. `status` is the status of the existing record, if the row depends on it. */
function finishRow(
  row: Row,
  draft: Draft,
  mapping: Mapping,
  status?: string,
): RowInput | RefusedRow {
  const { refusal, closed_ts, notesIn } = completeRow(draft, mapping, status);
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
    onlyNew: draft.onlyNew,
    partialLists: draft.partialLists,
    warnings: draft.warnings,
  };
}

/** Returns the fields that rows are read into. */
const targetsOf = once(({ sources, templates }: Mapping): readonly string[] => {
  const targets = new Set([...templates.keys(), ...sources.keys()]);
  targets.delete(DELETED);
  return [...targets];
});

function readTarget(row: Row, target: string, mapping: Mapping, draft: Draft): void {
  const headings = mapping.sources.get(target) ?? [];
  const parts = mapping.templates.get(target)?.parts ?? [];
  const others = headings.filter((heading) => !parts.includes(heading));
  const keepTyped = (some: readonly string[]) =>
    keepTypedCells(row, { target, headings: some }, mapping, draft);
  const typesOf = referredTypes(row, target, mapping);
  if (typesOf !== undefined) {
    const wanted = referenceIn(row, { target, typesOf }, mapping);
    if (wanted !== undefined) draft.references.push(wanted);
    keepTyped([...parts, ...others]);
    return;
  }
  const made = rendered(row, target, mapping);
  if (made !== "") {
    takeCell({ target, mapping, draft }, { heading: target, cell: made });
    keepTyped(parts);
    // Append free text from other columns.
    if (isLongText(mapping.type.fields[target]))
      joinCells(row, { target, headings: others }, mapping, draft);
    else keepTyped(others);
    return;
  }
  keepTyped(parts.filter((part) => !headings.includes(part)));
  // Leadport's own exports contain each value unchanged in a separate column.
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
    const typed = headings.filter((name) => isTyped(row.cells.get(name)));
    const from =
      bestHeading(row, target, mapping) ??
      typed.find((name) => !hasNoMembers(row.cells.get(name) as object)) ??
      typed[0];
    if (from === undefined) return;
    takeCell({ target, mapping, draft }, { heading: from, cell: row.cells.get(from) });
    keepTyped(headings.filter((name) => name !== from));
  }
}

/** Returns a cell after applying the value maps of its column and its field. Lists and objects are not mapped. */
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
  for (const leftover of leftovers) keepAsNote({ field, target, draft, ...leftover });
}

/** Columns of a target. */
interface Columns {
  readonly target: string;
  readonly headings: readonly string[];
}

/** Joins several columns of free text. Each value is on a separate line, preceded by the name of its column. */
function joinCells(row: Row, columns: Columns, mapping: Mapping, draft: Draft): void {
  for (const heading of columns.headings) {
    const text = cellText(row, heading, mapping).trim();
    if (text !== "") addNote(draft.body, columns.target, `${heading}: ${text}`);
  }
  keepTypedCells(row, columns, mapping, draft);
}

/** Whether a cell contains a list or an object. */
const isTyped = (cell: unknown): cell is object => typeof cell === "object" && cell !== null;

/** Adds the lists and objects in columns that are read as text to the row's notes, unless they are empty. */
function keepTypedCells(
  row: Row,
  { target, headings }: Columns,
  { format, type }: Mapping,
  draft: Draft,
): void {
  if (format === "csv") return;
  const field = type.fields[target] ?? { kind: "epoch" };
  for (const heading of headings) {
    const word = row.cells.get(heading);
    if (isTyped(word) && !hasNoMembers(word)) keepAsNote({ field, target, heading, word, draft });
  }
}

/** Returns an error if a string is too long or contains U+0000. Strings are never truncated. */
function tooLong(type: RecordType, body: Readonly<Record<string, unknown>>): string | undefined {
  for (const name of Object.keys(body)) {
    const value = body[name];
    const field = type.fields[name];
    if (field?.kind !== "text" || typeof value !== "string") continue;
    if (value.includes("\u0000")) return `${name} contains the character U+0000`;
    const length = value.length > field.max ? [...value].length : 0;
    if (length > field.max) return `${name} has ${length} characters; the maximum is ${field.max}`;
  }
  return undefined;
}

function strictRefusal({ strict }: Mapping, { warnings }: Draft): string | undefined {
  if (!strict || warnings.length === 0) return undefined;
  return warnings.map(sentenceOf).join("; ");
}
