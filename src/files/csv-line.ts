/**
 * One line of a CSV file → its cells. A record starts outside of quotes; a line inside a record starts
 * in a quoted cell. So every line has two readings, and neither depends on more than the line.
 */

import { COLUMNS_MAX } from "./limits.ts";

export const DELIMITERS = [",", ";", "\t", "|"] as const;
export type Delimiter = (typeof DELIMITERS)[number];

export interface Dialect {
  readonly delimiter: Delimiter;
  /** Bare carriage returns end lines in the files of old Macs. */
  readonly lineEnd: "\n" | "\r";
}

export interface LineReading {
  /**
   * The cells, at most COLUMNS_MAX + 1. In a line that starts in a quoted cell the first text continues
   * that cell. The last text of a line that ends in a quoted cell has the line end.
   */
  readonly cells: readonly string[];
  /** Where the quote is that the line leaves open. -1 if it was opened before the line. */
  readonly openAt?: number;
  /** Whether the quote that closes the first cell is followed by more text. */
  readonly isLoose: boolean;
}

/** Where the line end of a line begins, or its length if it has none. */
export function endOf(line: string, lineEnd: Dialect["lineEnd"]): number {
  if (!line.endsWith(lineEnd)) return line.length;
  return lineEnd === "\n" && line.at(-2) === "\r" ? line.length - 2 : line.length - 1;
}

/**
 * Reads a line. A quote is special at the start of a cell and where it ends a quoted cell. If text
 * follows the closing quote, the quotes are part of the text. Two quotes in a quoted cell are one.
 */
export function readLine(line: string, dialect: Dialect, isQuoted: boolean): LineReading {
  const { delimiter } = dialect;
  const end = endOf(line, dialect.lineEnd);
  if (!isQuoted && !line.includes('"')) {
    const cells = line.slice(0, end).split(delimiter, COLUMNS_MAX + 1);
    return { cells, isLoose: false };
  }
  const cells: string[] = [];
  let isLoose = false;
  let at = isQuoted ? -1 : 0;
  for (;;) {
    let next = at;
    const isOpen = at === -1 || line[at] === '"';
    if (isOpen) {
      const close = closingQuote(line, at + 1);
      if (close === -1) {
        cells.push(unescaped(line.slice(at + 1)));
        return { cells, openAt: at, isLoose };
      }
      const text = unescaped(line.slice(at + 1, close));
      next = close + 1;
      if (next < end && line[next] !== delimiter) {
        isLoose ||= at === -1;
        const from = close;
        next = cellEnd(line, next, delimiter, end);
        cells.push(`${at === -1 ? "" : '"'}${text}${line.slice(from, next)}`);
      } else {
        cells.push(text);
      }
    } else {
      next = cellEnd(line, at, delimiter, end);
      cells.push(line.slice(at, next));
    }
    if (next >= end || cells.length > COLUMNS_MAX) return { cells, isLoose };
    at = next + 1;
  }
}

function cellEnd(line: string, from: number, delimiter: string, end: number): number {
  const at = line.indexOf(delimiter, from);
  return at === -1 ? end : at;
}

/** The first quote that no other quote follows; -1 if there is none. */
function closingQuote(line: string, from: number): number {
  for (let at = line.indexOf('"', from); at !== -1; at = line.indexOf('"', at + 2)) {
    if (line[at + 1] !== '"') return at;
  }
  return -1;
}

const unescaped = (text: string): string =>
  text.includes('""') ? text.replaceAll('""', '"') : text;
