/**
 * Looks ahead after a line with an open quote, to find where the record ends and what it contains.
 * If the line turns out not to start a record, the next line is tried, and so on. At the start of
 * every line ahead, all these attempts are inside a quoted cell, so they share their results. Each
 * line is read once when it is added and once when it is dropped.
 */

import { countCells, type Dialect } from "./csv-line.ts";
import { ROW_MAX_bytes } from "./limits.ts";

export class Lookahead {
  readonly #dialect: Dialect;
  /** The number of lines; the first one is the second line of the record. */
  lines = 0;
  /** The number of characters in them. */
  length = 0;
  /** Whether the last line ends the record. */
  isEnded = false;
  /** The number of cells that start in them. */
  cells = 0;
  /** Multi-line cells whose closing quote is followed by more text. */
  looseCells = 0;
  /** Lines with three quotes, as in a cell that starts or ends with an escaped quote. */
  tripleQuotes = 0;
  /** The start of the cell that is open at the end of the last line; negative if it is before these lines. */
  #openAt = -1;

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
  }

  /** Returns the length of the open cell, given the length of the part before these lines. */
  lengthOfOpenCell(before: number): number {
    return this.#openAt < 0 ? before + this.length : this.length - this.#openAt;
  }

  add(line: string): void {
    const openAt = this.#count(line, 1);
    if (openAt === undefined) this.isEnded = true;
    else if (openAt >= 0) this.#openAt = this.length - line.length + openAt;
  }

  /** Drops the first line, which becomes the first line of the next record. */
  dropFirst(line: string): void {
    this.#count(line, -1);
    this.#openAt -= line.length;
  }

  /** Adds or subtracts a line. Returns where it leaves a cell open, or undefined if it does not. */
  #count(line: string, sign: 1 | -1): number | undefined {
    this.lines += sign;
    this.length += sign * line.length;
    // A line longer than the maximum row length cannot end a record.
    if (!line.includes('"') || line.length > ROW_MAX_bytes) return -1;
    const { count, openAt, isLoose } = countCells(line, this.#dialect);
    this.cells += sign * (count - 1);
    if (isLoose) this.looseCells += sign;
    if (line.includes('"""')) this.tripleQuotes += sign;
    return openAt;
  }
}
