/**
 * Reads the cells of a column into a field's value, depending on the field's kind. CSV cells are strings, and NDJSON
 * cells are typed values. A cell that cannot be read is returned as unreadable, and the caller decides what happens to
 * it.
 */

import {
  type CellReader,
  kindOf,
  NOTHING,
  type Parsed,
  UNREADABLE,
} from "../../records/kinds/index.ts";
import type { Field, RecordType } from "../../records/types/index.ts";
import { type Mapping, plainWord } from "../columns/index.ts";
import {
  type ColumnStyle,
  isNothing,
  readFlag,
  readNumber,
  readMoment,
  readSerial,
} from "../formats/index.ts";
import { plainName } from "../headings/index.ts";

/** Returns a scalar value as a string, or undefined for lists and objects. */
export function textOf(cell: unknown): string | undefined {
  if (typeof cell === "string") return cell;
  return typeof cell === "number" || typeof cell === "boolean" ? String(cell) : undefined;
}

export type ReadCell = (cell: unknown) => Parsed;

/** Returns the function that reads cells with this format into a field. */
export function cellReader(
  target: string,
  field: Field,
  style: ColumnStyle,
  mapping: Mapping,
): ReadCell {
  const kind = kindOf(field);
  const words = mapping.values.get(target);
  const strings = stringReader(target, style, mapping);
  // JSON numbers have a decimal point, regardless of the decimal separator in the column's strings.
  const numbers = stringReader(target, { ...style, decimal: "." }, mapping);
  return (cell) => {
    if (cell === null || cell === undefined) return NOTHING;
    const text = textOf(cell);
    if (text === undefined) {
      // Only NDJSON contains lists and objects.
      return kind.holds === (Array.isArray(cell) ? "list" : "object")
        ? { value: cell }
        : UNREADABLE;
    }
    const trimmed = text.trim();
    if ((mapping.ownExport ? text : trimmed) === "") return NOTHING;
    const word = words?.get(plainWord(text)) ?? text;
    if (kind.readsNothing && isNothing(word)) return NOTHING;
    const exact = mapping.ownExport ? word : word.trim();
    return kind.parse(field, exact, typeof cell === "number" ? numbers : strings);
  };
}

/** Returns the reader of a column's strings. Text is trimmed, except in Leadport's own exports. */
function stringReader(
  target: string,
  { decimal, dates, percent, serialDates }: ColumnStyle,
  { type, ownExport, format }: Mapping,
): CellReader {
  const number = (text: string) => readNumber(text, decimal);
  return {
    isExact: ownExport,
    isTyped: format === "ndjson",
    number,
    share: (text) => {
      if (ownExport) return readNumber(text, ".");
      const value = number(text);
      if (value === undefined) return undefined;
      const isPercentage = percent || text.includes("%") || value > 1;
      return isPercentage ? Number((value / 100).toPrecision(15)) : value;
    },
    moment: (text) => {
      if (ownExport && !Number.isNaN(Number(text))) return Number(text);
      return readMoment(serialDates ? readSerial(text) : text, dates);
    },
    flag: readFlag,
    word: (text) => knownWord(type, target, text),
    plain: plainName,
  };
}

/** Returns the field value that a string from another system stands for. Returns undefined if the string is unknown. */
function knownWord(type: RecordType, field: string, word: string): string | undefined {
  const words = type.imports?.values?.[field];
  if (words === undefined) return undefined;
  const plain = plainName(word);
  const known = Object.entries(words);
  return known.find(([value, names]) => plainName(value) === plain || names.includes(plain))?.[0];
}
