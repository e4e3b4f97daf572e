/**
 * Reads the cells of a target into the row's draft. Adds notes and warnings about cells that cannot be read. Their fields
 * keep the default of the type, so that a lead with an unknown source gets the source `Unknown`.
 */

import { hasNoMembers } from "../../platform/json/index.ts";
import type { Field } from "../../records/types/index.ts";
import { kindOf } from "../../records/kinds/index.ts";
import { type Mapping, otherCurrency } from "../columns/index.ts";
import { type ColumnStyle, isNothing, readDay, readSerial } from "../formats/index.ts";
import type { Row } from "../read/index.ts";
import { textOf } from "./cell.ts";
import { contactMembers } from "./contact-lists.ts";
import type { Cell, CellUse } from "./row-cells.ts";
import { addNote, type Draft } from "./row-completion.ts";
import { mapped } from "./row-texts.ts";
import type { WarningKind } from "./row-warnings.ts";
import type { TargetColumns } from "./target-columns.ts";

/** Reads the cells of a target as described by their use. */
export function takeCells(
  use: CellUse,
  columns: TargetColumns,
  mapping: Mapping,
  draft: Draft,
): void {
  switch (use.as) {
    case "reference":
      if (use.wanted !== undefined) draft.references.push(use.wanted);
      return;
    case "template":
      takeCell(use.cell, columns, mapping, draft);
      return;
    case "value":
      if (!takeContacts(use.cells, columns, mapping, draft)) {
        takeBest(use.cells, columns, mapping, draft);
      }
      return;
    case "text":
      joinCells(use.cells, columns.target, draft);
      keepTyped(use.cells, columns, draft);
      return;
    case "note":
      keepTyped(use.cells, columns, draft);
  }
}

/** Whether a cell contains a list or an object. */
const isTyped = (cell: unknown): cell is object => typeof cell === "object" && cell !== null;

/** Reads the best cell that is not empty. Lists and objects in the other cells become notes. */
function takeBest(
  cells: readonly Cell[],
  columns: TargetColumns,
  mapping: Mapping,
  draft: Draft,
): void {
  const typed = cells.filter(({ cell }) => isTyped(cell));
  const best =
    bestCell(cells, columns, mapping) ??
    typed.find(({ cell }) => isTyped(cell) && !hasNoMembers(cell)) ??
    typed[0];
  if (best === undefined) return;
  takeCell(best, columns, mapping, draft);
  keepTyped(
    typed.filter((cell) => cell !== best),
    columns,
    draft,
  );
}

/**
 * Returns the first cell that is not empty. In some exports, the last stage of a deal does not show that it is closed,
 * but another column does. In that case, the other column takes precedence.
 */
function bestCell(
  cells: readonly Cell[],
  { closedValues, readers }: TargetColumns,
  { ownExport }: Mapping,
): Cell | undefined {
  // Leadport's own exports contain the exact strings, even if they consist only of spaces.
  const isFilled = ({ text }: Cell): boolean => (ownExport ? text : text.trim()) !== "";
  if (cells.length < 2 || closedValues.length === 0) return cells.find(isFilled);
  const filled = cells.filter(isFilled);
  const closed = filled.find(({ heading, text }) => {
    const read = readers.get(heading)?.(text);
    return read !== undefined && "value" in read && closedValues.includes(String(read.value));
  });
  return closed ?? filled[0];
}

/** Reads a cell or the result of a template into a field. */
function takeCell(
  { heading, cell, text }: Cell,
  { target, field, styles, readers }: TargetColumns,
  { currency }: Mapping,
  draft: Draft,
): void {
  const given = textOf(cell);
  const word = given === undefined || given === text ? cell : text;
  if (target === "birth_date") {
    takeBirthDate({ heading, word }, styles.get(heading), draft);
    return;
  }
  const read = readers.get(heading)?.(word) ?? { nothing: true };
  if ("value" in read) draft.body[target] = read.value;
  if (kindOf(field).hasCurrency && "value" in read && currency.own !== undefined) {
    const other = otherCurrency(given ?? "", currency.own);
    if (other !== undefined) {
      draft.warnings.push({ kind: "other_currency", field: target, word: other });
    }
  }
  if ("unreadable" in read) keepAsNote({ field, target, heading, word, draft });
}

/** Adds a warning if a currency column shows that the row's amounts are in another currency. */
export function noteCurrency(
  row: Row,
  { type, currency }: Mapping,
  { body, warnings }: Draft,
): void {
  const { own, columns } = currency;
  if (own === undefined || columns.length === 0) return;
  const amount = Object.keys(body).find((name) => {
    const field = type.fields[name];
    return field !== undefined && kindOf(field).hasCurrency;
  });
  if (amount === undefined || warnings.some(({ kind }) => kind === "other_currency")) return;
  for (const heading of columns) {
    const word = otherCurrency(textOf(row.cells.get(heading)) ?? "", own);
    if (word !== undefined) warnings.push({ kind: "other_currency", field: amount, word });
  }
}

/** Reads columns of contact details. Returns false if the target is read from a single cell like other fields. */
function takeContacts(
  cells: readonly Cell[],
  { target, field }: TargetColumns,
  mapping: Mapping,
  draft: Draft,
): boolean {
  // Leadport's own exports contain each value unchanged in a separate column.
  if (mapping.ownExport) return false;
  const contacts = contactMembers(mapping.type, target, () =>
    cells.map(({ heading, cell, text }) => ({
      heading,
      cell: textOf(cell) === undefined ? cell : mapped(mapping, target, text),
    })),
  );
  if (contacts === undefined) return false;
  Object.assign(draft.body, contacts.members);
  if (`${target}_list` in contacts.members) draft.partialLists.push(`${target}_list`);
  for (const leftover of contacts.leftovers) keepAsNote({ field, target, draft, ...leftover });
  return true;
}

/** Joins several columns of free text. Each value is on a separate line, preceded by the name of its column. */
function joinCells(cells: readonly Cell[], target: string, { body }: Draft): void {
  for (const { heading, text } of cells) {
    if (text.trim() !== "") addNote(body, target, `${heading}: ${text.trim()}`);
  }
}

/** Adds lists and objects to the row's notes, unless they are empty. */
function keepTyped(cells: readonly Cell[], { target, field }: TargetColumns, draft: Draft): void {
  for (const { heading, cell } of cells) {
    if (isTyped(cell) && !hasNoMembers(cell)) {
      keepAsNote({ field, target, heading, word: cell, draft });
    }
  }
}

interface UnreadCell {
  readonly field: Field;
  readonly target: string;
  readonly heading: string;
  readonly word: unknown;
  readonly draft: Draft;
  /** The kind of warning. Default: unknown or unreadable value. */
  readonly kind?: WarningKind;
}

/** Adds a value that cannot be imported to the record's notes, unless it is a secret. */
function keepAsNote({ field, target, heading, word, draft, ...given }: UnreadCell): void {
  const { unreadable, isSecret } = kindOf(field);
  const { kind = unreadable } = given;
  if (isSecret) {
    draft.warnings.push({ kind, field: target });
    return;
  }
  const text = noteOf(word).trim();
  draft.warnings.push({ kind, field: target, word: text });
  draft.notes.push(`${heading} in the file: ${text}`);
}

/** Returns a value as text. Lists and objects become JSON. */
const noteOf = (value: unknown): string => textOf(value) ?? JSON.stringify(value ?? null);

function takeBirthDate(
  { heading, word }: { readonly heading: string; readonly word: unknown },
  style: ColumnStyle | undefined,
  draft: Draft,
): void {
  const given = noteOf(word);
  const text = style?.serialDates ? readSerial(given) : given;
  if (style === undefined || isNothing(text)) return;
  const day = readDay(text, style.dates);
  if (day === undefined || day.year < 1900) {
    keepAsNote({ field: { kind: "epoch" }, target: "birth_date", heading, word: text, draft });
    return;
  }
  draft.body["birth_year"] ??= day.year;
  draft.body["birth_month"] ??= day.month;
  draft.body["birth_day"] ??= day.day;
}
