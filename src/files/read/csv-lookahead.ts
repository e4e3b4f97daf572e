/**
 * After a line with an open quote, looks ahead to find where its record ends and how many cells it has. If that line is
 * broken, the next line is tried as the start of a record, and so on. For all these attempts, the following lines start
 * inside a quoted cell, so the attempts share the results for these lines. Each line is counted only when it is
 * added and when it is dropped, so the time is proportional to the size of the file.
 */

import { blankCellsAtEnd, countCells, type Dialect } from "./csv-line.ts";
import { ROW_MAX_bytes } from "./limits.ts";

export class Lookahead {
  readonly #dialect: Dialect;
  /** The number of columns in the file, or undefined if it is not known yet. */
  readonly #width: number | undefined;
  /** The number of lines read ahead. The first one is the second line of the record. */
  lines = 0;
  /** The number of characters in the lines read ahead. */
  length = 0;
  /** Whether the last line read ahead ends the record. */
  isEnded = false;
  /** The number of cells that start in the lines read ahead. */
  cells = 0;
  /** Multi-line cells whose closing quote is followed by more text. */
  looseCells = 0;
  /** Lines with three consecutive quotes, as in a cell that starts or ends with an escaped quote. */
  tripleQuotes = 0;
  /** Lines that could each be a complete row of the file. */
  rows = 0;
  /** The number of blank cells at the end of the record. 0 if it has not ended. */
  blankCells = 0;
  /**
   * The offset of the cell that is open at the end of the last line. Negative if the cell starts before the lines read
   * ahead.
   */
  #openAt = -1;

  constructor(dialect: Dialect, width?: number) {
    this.#dialect = dialect;
    this.#width = width;
  }

  /** Returns the length of the open cell. `before` is the length of its part before the lines read ahead. */
  lengthOfOpenCell(before: number): number {
    return this.#openAt < 0 ? before + this.length : this.length - this.#openAt;
  }

  add(line: string): void {
    const openAt = this.#count(line, 1);
    if (openAt === undefined) {
      this.isEnded = true;
      this.blankCells = blankCellsAtEnd(line, this.#dialect);
    } else if (openAt >= 0) this.#openAt = this.length - line.length + openAt;
  }

  /** Drops the first of the lines read ahead. The next attempt starts at that line. */
  dropFirst(line: string): void {
    this.#count(line, -1);
    this.#openAt -= line.length;
  }

  /**
   * Adds a line to the counts, or subtracts it. Returns the position of the cell that is still open at the end of the
   * line, or undefined if there is none.
   */
  #count(line: string, sign: 1 | -1): number | undefined {
    this.lines += sign;
    this.length += sign * line.length;
    // A line longer than the maximum row length cannot end a valid record.
    if (line.length > ROW_MAX_bytes) return -1;
    if (countCells(line, this.#dialect, false).count === this.#width) this.rows += sign;
    if (!line.includes('"')) return -1;
    const { count, openAt, isLoose } = countCells(line, this.#dialect, true);
    this.cells += sign * (count - 1);
    if (isLoose) this.looseCells += sign;
    if (line.includes('"""')) this.tripleQuotes += sign;
    return openAt;
  }
}
