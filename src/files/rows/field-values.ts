/** Reads a cell into a field of the row's draft. If that is not possible, adds a note and a warning. */

import type { Field } from "../../records/index.ts";
import {
  type DateOrders,
  isNothing,
  type Mapping,
  otherCurrency,
  plainWord,
  readDay,
  readSerial,
} from "../columns/index.ts";
import { readCell, textOf } from "./cell.ts";
import { contextOf } from "./row-cells.ts";
import type { Draft } from "./row-completion.ts";
import type { WarningKind } from "./row-warnings.ts";
import type { Row } from "../read/index.ts";

interface Place {
  readonly target: string;
  readonly mapping: Mapping;
  readonly draft: Draft;
}

/** Reads a cell or the result of a template into a field. For a template, `heading` is its target. */
export function takeCell(
  { target, mapping, draft }: Place,
  { heading, cell }: { readonly heading: string; readonly cell: unknown },
): void {
  const { type, values, currency } = mapping;
  const context = contextOf(target, heading, mapping);
  const { style } = context;
  const text = textOf(cell);
  const word = (text === undefined ? text : values.get(heading)?.get(plainWord(text))) ?? cell;
  const field: Field = type.fields[target] ?? { kind: "epoch" };
  const dated = style.serialDates && field.kind === "epoch" ? textOf(word) : undefined;
  const value = dated === undefined ? word : readSerial(dated);
  if (target === "birth_date") {
    takeBirthDate(noteOf(value), style.dates, { heading, draft });
    return;
  }
  const read = readCell(field, value, context);
  if ("value" in read) draft.body[target] = read.value;
  if (field.kind === "money" && "value" in read && currency.own !== undefined) {
    const other = otherCurrency(text ?? "", currency.own);
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
  const field = Object.keys(body).find((name) => type.fields[name]?.kind === "money");
  if (field === undefined || warnings.some(({ kind }) => kind === "other_currency")) return;
  for (const heading of columns) {
    const word = otherCurrency(textOf(row.cells.get(heading)) ?? "", own);
    if (word !== undefined) warnings.push({ kind: "other_currency", field, word });
  }
}

export interface UnreadCell {
  readonly field: Field;
  readonly target: string;
  readonly heading: string;
  readonly word: unknown;
  readonly draft: Draft;
  /** The kind of warning. Default: unknown or unreadable value. */
  readonly kind?: WarningKind;
}

/** Adds a value that cannot be imported to the record's notes, unless it is a secret. */
export function keepAsNote({ field, target, heading, word, draft, ...given }: UnreadCell): void {
  const { kind = field.kind === "choice" ? "unknown_word" : "unreadable_value" } = given;
  if (field.kind === "ssn") {
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
  text: string,
  orders: DateOrders,
  { heading, draft }: { readonly heading: string; readonly draft: Draft },
): void {
  if (isNothing(text)) return;
  const day = readDay(text, orders);
  if (day === undefined || day.year < 1900) {
    keepAsNote({ field: { kind: "epoch" }, target: "birth_date", heading, word: text, draft });
    return;
  }
  draft.body["birth_year"] ??= day.year;
  draft.body["birth_month"] ??= day.month;
  draft.body["birth_day"] ??= day.day;
}
