/**
 * Splits a line of a CSV file into cells. The first line of a record starts outside quotes, and each further line
 * starts inside a quoted cell. So there are only two ways to read a line, and both depend only on the line itself.
 */

import { COLUMNS_MAX } from "./limits.ts";

export const DELIMITERS = [",", ";", "\t", "|"] as const;
export type Delimiter = (typeof DELIMITERS)[number];

export interface Dialect {
  readonly delimiter: Delimiter;
  /** Files from old Mac systems end lines with only a carriage return. */
  readonly lineEnd: "\n" | "\r";
}

export interface LineReading {
  /**
   * The cells, except one that is still open at the end of the line. If the line starts inside a quoted cell, the first
   * string is the rest of that cell.
   */
  readonly cells: readonly string[];
  /** The number of cells, including one that is still open. At most COLUMNS_MAX + 1. */
  readonly count: number;
  /**
   * The position of the quote that is still open at the end of the line. -1 if it was opened on an earlier line, and
   * undefined if none is open.
   */
  readonly openAt: number | undefined;
  /** Whether more text follows the quote that closes the first cell. */
  readonly isLoose: boolean;
}

/** Returns the position of the line end, or the length of the line if it has none. */
export function endOf(line: string, lineEnd: Dialect["lineEnd"]): number {
  const last = line.length - 1;
  // Do not index at -1: in V8, indexing a string out of bounds is many times slower.
  if (last < 0 || line[last] !== lineEnd) return line.length;
  return last > 0 && lineEnd === "\n" && line[last - 1] === "\r" ? last - 1 : last;
}

/**
 * Reads a line. Quotes are special only at the start of a cell and at the end of a quoted cell. If more text follows
 * the closing quote, both quotes are part of the text.
 */
export function readLine(line: string, dialect: Dialect, isQuoted: boolean): LineReading {
  const { delimiter } = dialect;
  if (!isQuoted && !line.includes('"')) {
    const text = line.slice(0, endOf(line, dialect.lineEnd));
    const cells = text.includes(delimiter) ? text.split(delimiter, COLUMNS_MAX + 1) : [text];
    return { cells, count: cells.length, openAt: undefined, isLoose: false };
  }
  return scan(line, dialect, isQuoted, []);
}

/**
 * Returns the cells of a complete record, which may span several lines, or undefined if a quote is still open at the
 * end.
 */
export function cellsIn(raw: string, delimiter: Delimiter): readonly string[] | undefined {
  // The record's final line end has been removed, so either value of `lineEnd` works.
  const { cells, openAt } = readLine(raw, { delimiter, lineEnd: "\n" }, false);
  return openAt === undefined ? cells : undefined;
}

const NOT_READ: readonly string[] = [];

/** Reads a line. Counts its cells without returning their contents. */
export const countCells = (line: string, dialect: Dialect, isQuoted: boolean): LineReading =>
  scan(line, dialect, isQuoted);

/** Returns the number of blank cells at the end of a line that starts inside a quoted cell, without that cell. */
export function blankCellsAtEnd(line: string, dialect: Dialect): number {
  const [, ...cells] = readLine(line, dialect, true).cells;
  return cells.length - 1 - cells.findLastIndex((cell) => cell.trim() !== "");
}

function scan(
  line: string,
  { delimiter, lineEnd }: Dialect,
  isQuoted: boolean,
  cells?: string[],
): LineReading {
  const end = endOf(line, lineEnd);
  let isLoose = false;
  let at = isQuoted ? -1 : 0;
  for (let count = 1; ; count += 1) {
    let next = at;
    const isOpen = at === -1 || line[at] === '"';
    if (isOpen) {
      const close = closingQuote(line, at + 1);
      if (close === -1) {
        return { cells: cells ?? NOT_READ, count, openAt: at, isLoose };
      }
      next = close + 1;
      if (next < end && line[next] !== delimiter) {
        isLoose ||= at === -1;
        next = cellEnd(line, next, delimiter, end);
        const quote = at === -1 ? "" : '"';
        cells?.push(quote + unescaped(line.slice(at + 1, close)) + line.slice(close, next));
      } else {
        cells?.push(unescaped(line.slice(at + 1, close)));
      }
    } else {
      next = cellEnd(line, at, delimiter, end);
      cells?.push(line.slice(at, next));
    }
    if (next >= end || count > COLUMNS_MAX) {
      return { cells: cells ?? NOT_READ, count, openAt: undefined, isLoose };
    }
    at = next + 1;
  }
}

function cellEnd(line: string, from: number, delimiter: string, end: number): number {
  const at = line.indexOf(delimiter, from);
  return at === -1 ? end : at;
}

/** Returns the position of the first quote that is not followed by another quote, or -1 if there is none. */
function closingQuote(line: string, from: number): number {
  for (let at = line.indexOf('"', from); at !== -1; at = line.indexOf('"', at + 2)) {
    // Do not index past the end, which is slow.
    if (at + 1 === line.length || line[at + 1] !== '"') return at;
  }
  return -1;
}

/** Returns the content of the cell that is still open at the end of a line, including the line end. */
export const openCell = (line: string, { openAt = line.length }: LineReading): string =>
  unescaped(line.slice(openAt + 1));

/** A doubled quote in a quoted cell represents a single quote. */
const unescaped = (text: string): string =>
  text.includes('""') ? text.replaceAll('""', '"') : text;
