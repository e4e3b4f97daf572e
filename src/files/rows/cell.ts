/**
 * Reads a cell into a field's value, depending on the field's kind. CSV cells are strings, and NDJSON cells are typed
 * values. A cell that cannot be read is returned as unreadable, and the caller decides what happens to it.
 */

import { isObject } from "../../platform/json/index.ts";
import type { Field, RecordType } from "../../records/index.ts";
import type { Format } from "../read/index.ts";
import { knownWord } from "./words.ts";
import {
  type ColumnStyle,
  isNothing,
  plainName,
  plainWord,
  readFlag,
  readMoment,
  readNumber,
  type ValueMap,
} from "../columns/index.ts";

/** The result of reading a cell: a value, nothing, or "unreadable". */
export type Read =
  | { readonly value: unknown }
  | { readonly nothing: true }
  | { readonly unreadable: true };

export interface CellContext {
  readonly type: RecordType;
  readonly target: string;
  readonly style: ColumnStyle;
  readonly words: ValueMap | undefined;
  readonly ownExport: boolean;
  readonly format: Format;
}

const NOTHING: Read = { nothing: true };
const UNREADABLE: Read = { unreadable: true };
const orUnreadable = (value: unknown): Read => (value === undefined ? UNREADABLE : { value });

/** Reads the cell of a field. Text is trimmed, except in Leadport's own exports. */
export function readCell(field: Field, cell: unknown, context: CellContext): Read {
  if (cell === null || cell === undefined) return NOTHING;
  const text = textOf(cell);
  if (text === undefined) return readTyped(field, cell);
  const blank = context.ownExport ? text === "" : text.trim() === "";
  if (blank) return NOTHING;
  const mapped = context.words?.get(plainWord(text)) ?? text;
  if (typeof cell !== "number") return readText(field, mapped, context);
  // JSON numbers have a decimal point, regardless of the decimal separator in the column's strings.
  return readText(field, mapped, { ...context, style: { ...context.style, decimal: "." } });
}

/** Returns a scalar value as a string, or undefined for lists and objects. */
export function textOf(cell: unknown): string | undefined {
  if (typeof cell === "string") return cell;
  return typeof cell === "number" || typeof cell === "boolean" ? String(cell) : undefined;
}

const LISTS: ReadonlySet<Field["kind"]> = new Set(["tags", "lines", "socials", "entries"]);

/** Reads a list or object. Only NDJSON contains them. */
function readTyped(field: Field, cell: unknown): Read {
  const isFitting = Array.isArray(cell) ? LISTS.has(field.kind) : field.kind === "free";
  return isFitting ? { value: cell } : UNREADABLE;
}

function readText(field: Field, text: string, context: CellContext): Read {
  const exact = context.ownExport ? text : text.trim();
  switch (field.kind) {
    case "text":
      return { value: context.ownExport ? exact : textIn(context, exact) };
    case "reference":
      return { value: exact };
    case "choice":
      return readChoice(field, exact, context);
    case "ssn":
      return readSsn(exact);
    case "tags":
      return readTags(exact);
    case "lines":
    case "socials":
      return readList(exact);
    case "entries":
      return readEntries(exact);
    case "free":
      return { value: readFree(exact, context) };
    default:
      return isNothing(text) ? NOTHING : readPlain(field, exact, context);
  }
}

const textIn = ({ type, target }: CellContext, text: string): string =>
  knownWord(type, target, text) ?? text;

/** Reads a number, time or flag. "n/a" means empty. */
function readPlain(field: Field, text: string, context: CellContext): Read {
  const { style } = context;
  switch (field.kind) {
    case "money":
      return orUnreadable(readNumber(text, style.decimal));
    case "number":
      return orUnreadable(context.ownExport ? readNumber(text, ".") : readShare(text, style));
    case "whole":
    case "digits":
      return readWhole(field, text, context);
    case "epoch":
      return orUnreadable(
        context.ownExport && !Number.isNaN(Number(text))
          ? Number(text)
          : readMoment(text, style.dates),
      );
    case "flag":
      return orUnreadable(readFlag(text));
    default:
      return { value: text };
  }
}

/** Returns a fraction. Converts it if the column contains percentages. */
function readShare(text: string, { decimal, percent }: ColumnStyle): number | undefined {
  const value = readNumber(text, decimal);
  if (value === undefined) return undefined;
  return percent || text.includes("%") || value > 1 ? Number((value / 100).toPrecision(15)) : value;
}

function readWhole(
  field: Field & { readonly kind: "whole" | "digits" },
  text: string,
  { style, type, target }: CellContext,
): Read {
  const value = readNumber(text, style.decimal) ?? Number(knownWord(type, target, text));
  const max = typeof field.max === "number" ? field.max : Number.MAX_SAFE_INTEGER;
  return Number.isInteger(value) && value >= field.min && value <= max ? { value } : UNREADABLE;
}

function readChoice(
  { of, spellings }: Field & { readonly kind: "choice" },
  text: string,
  { type, target }: CellContext,
): Read {
  return orUnreadable(
    choiceIn(of, text) ?? spellings?.[text.toLowerCase()] ?? knownWord(type, target, text),
  );
}

function choiceIn(of: readonly string[], text: string): string | undefined {
  if (of.includes(text)) return text;
  const plain = plainName(text);
  return of.find((value) => plainName(value) === plain);
}

/** Reads a social security number. A number masked by the other system cannot be imported. */
function readSsn(text: string): Read {
  if (text.includes("*")) return NOTHING;
  const digits = text.replace(/[\s-]/g, "");
  return /^\d{9}$/.test(digits) ? { value: digits } : UNREADABLE;
}

/** Matches one tag: either quoted, as in Mailchimp exports, or up to the next separator. */
const TAG = /\s*(?:"((?:[^"]|"")*)"\s*(?=[;,|]|$)|([^;,|]+))/g;

const plainTag = (text: string): string => text.trim().replace(/^\* /, "");

function readTags(text: string): Read {
  if (text.startsWith("[")) return readList(text);
  // Google Contacts separates labels with ":::" and marks its own labels with a star.
  const list = text.replaceAll(":::", ";");
  const tags = list.includes('"')
    ? Array.from(list.matchAll(TAG), ([, quoted, plain = ""]) =>
        quoted === undefined ? plainTag(plain) : quoted.replaceAll('""', '"'),
      )
    : list.split(/[;,|]/).map(plainTag);
  return { value: [...new Set(tags.filter((tag) => tag.trim() !== ""))] };
}

/** Reads a JSON list, as in Leadport's exports, or separated strings. */
function readEntries(text: string): Read {
  if (text.startsWith("[")) return readList(text);
  const texts = text.split(/[;,|\n]/).map((entry) => entry.trim());
  return { value: texts.filter((entry) => entry !== "") };
}

function readList(text: string): Read {
  const list = jsonOf(text);
  return Array.isArray(list) ? { value: list } : UNREADABLE;
}

/**
 * Returns the object or string that a cell contains as JSON, and otherwise the cell itself. Strings in Leadport's own
 * NDJSON exports are exact, so they are not parsed.
 */
function readFree(text: string, { ownExport, format }: CellContext): unknown {
  if (ownExport && format === "ndjson") return text;
  const value = jsonOf(text);
  return isObject(value) || typeof value === "string" ? value : text;
}

/** Parses a string as JSON. Returns undefined if it is not JSON. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
