/**
 * Reads CSV text into records with line numbers. A quote that is never closed invalidates only its own line, and
 * reading continues with the next line. The time is proportional to the size of the text, even if every line has such a
 * quote, because results for the lines ahead are reused (csv-lookahead.ts).
 */

import {
  DELIMITERS,
  endOf,
  openCell,
  readLine,
  type Delimiter,
  type Dialect,
  type LineReading,
} from "./csv-line.ts";
import { Lookahead } from "./csv-lookahead.ts";
import { CELL_MAX_bytes, ROW_MAX_bytes } from "./limits.ts";
import { LineSplitter, piecesOf } from "./lines.ts";

/** A record of the file, or a broken line. `line` is the number of its first line in the file, starting at 1. */
export type CsvRecord = { readonly line: number; readonly raw: string } & (
  | { readonly cells: readonly string[] }
  | { readonly reason: string }
);

const SAMPLE_RECORDS = 50;
/** The sample is read in pieces of this size until it contains enough records. */
const SAMPLE_CHARACTERS = 4096;

/** Detects the delimiter and line ends at the start of a file. `hint` breaks a tie. */
export function detectDialect(head: string, hint: Delimiter = ","): Dialect {
  const lineEnd = head.includes("\n") || !head.includes("\r") ? "\n" : "\r";
  const delimiters = [hint, ...DELIMITERS.filter((delimiter) => delimiter !== hint)];
  let best: Dialect = { delimiter: hint, lineEnd };
  let bestScore = 0;
  for (const delimiter of delimiters) {
    const score = regularity(sampleOf(head, { delimiter, lineEnd }));
    if (score > bestScore) {
      best = { delimiter, lineEnd };
      bestScore = score;
    }
  }
  return best;
}

/**
 * Returns a score for a delimiter: the number of cells in the first record × the squared share of records with the same
 * number. Returns 0 for a single column.
 */
function regularity(records: readonly (readonly string[])[]): number {
  const width = records[0]?.length ?? 0;
  if (width < 2) return 0;
  const alike = records.filter((cells) => cells.length === width).length;
  return width * (alike / records.length) ** 2;
}

function sampleOf(head: string, dialect: Dialect): readonly (readonly string[])[] {
  const reader = new CsvReader(dialect);
  const sample: (readonly string[])[] = [];
  const take = (records: readonly CsvRecord[]) =>
    sample.push(...records.flatMap((record) => ("cells" in record ? [record.cells] : [])));
  for (const piece of piecesOf(head, SAMPLE_CHARACTERS)) {
    take(reader.read(piece));
    if (sample.length >= SAMPLE_RECORDS) return sample.slice(0, SAMPLE_RECORDS);
  }
  take(reader.end());
  // The sample may end inside the last record.
  return sample.length > 2 ? sample.slice(0, -1) : sample;
}

const NOT_CLOSED = "a quote is opened but not closed";
const UNBALANCED_QUOTE = "an unbalanced quote in this line affects the lines after it";

/** Reads records. The first one contains the column names. Skipped lines count as lines but are not parsed. */
export class CsvReader {
  readonly #dialect: Dialect;
  readonly #splitter: LineSplitter;
  #skip: number;
  /** The lines read so far. Lines from index `#at` onward do not belong to a record yet. */
  #lines: string[] = [];
  #at = 0;
  #line = 1;
  /** The result of reading the line at `#at`. */
  #first: LineReading | undefined;
  #ahead: Lookahead;
  /** The number of cells in the first record. */
  #width: number | undefined;

  constructor(dialect: Dialect, skippedLines = 0) {
    this.#dialect = dialect;
    this.#skip = skippedLines;
    this.#splitter = new LineSplitter(dialect.lineEnd, ROW_MAX_bytes);
    this.#ahead = new Lookahead(dialect);
  }

  /** Returns the records that this text completes. */
  read(text: string): readonly CsvRecord[] {
    this.#add(this.#splitter.push(text));
    return this.#records(false);
  }

  end(): readonly CsvRecord[] {
    this.#add(this.#splitter.end());
    return this.#records(true);
  }

  #add(lines: string[]): void {
    if (this.#at < this.#lines.length) {
      for (const line of lines) this.#lines.push(line);
    } else {
      this.#lines = lines;
      this.#at = 0;
    }
  }

  #records(isEnd: boolean): readonly CsvRecord[] {
    const records: CsvRecord[] = [];
    for (let line = this.#lines[this.#at]; line !== undefined; line = this.#lines[this.#at]) {
      if (this.#skip > 0 || endOf(line, this.#dialect.lineEnd) === 0) {
        this.#skip = Math.max(0, this.#skip - 1);
        this.#take(1);
        continue;
      }
      const record = this.#recordFrom(line, isEnd);
      if (record === undefined) break;
      records.push(record);
    }
    if (this.#at < this.#lines.length && this.#at * 2 > this.#lines.length) {
      this.#lines = this.#lines.slice(this.#at);
      this.#at = 0;
    }
    return records;
  }

  /** Returns the record that starts with this line, or undefined if more text must be read first. */
  #recordFrom(line: string, isEnd: boolean): CsvRecord | undefined {
    if (line.length > ROW_MAX_bytes) return this.#giveUpLine("the row is longer than 4 MiB");
    const first = (this.#first ??= readLine(line, this.#dialect, false));
    if (first.openAt === undefined) return this.#taken(1, first.cells);
    const opened = line.length - first.openAt;
    const ahead = this.#ahead;
    while (!ahead.isEnded) {
      // Further lines cannot repair a record that already has too many cells.
      if (first.count + ahead.cells > (this.#width ?? Infinity))
        return this.#giveUpLine(UNBALANCED_QUOTE);
      const isTooLong =
        ahead.lengthOfOpenCell(opened) > CELL_MAX_bytes ||
        ahead.length + line.length > ROW_MAX_bytes;
      const next = this.#lines[this.#at + 1 + ahead.lines];
      if (isTooLong || (next === undefined && isEnd)) return this.#giveUpLine(NOT_CLOSED);
      if (next === undefined) return undefined;
      ahead.add(next);
    }
    const isLoose = ahead.looseCells > 0 && ahead.tripleQuotes === 0 && !line.includes('"""');
    if (isLoose || !this.#canBeRow(first.count + ahead.cells))
      return this.#giveUpLine(UNBALANCED_QUOTE);
    return this.#taken(1 + ahead.lines, this.#cellsOver(first, ahead.lines));
  }

  /**
   * Whether a multi-line record with this many cells can be a row. If it is short and one of its lines is as wide as
   * the file, the quote was probably closed by a quote in a later row.
   */
  #canBeRow(count: number): boolean {
    const width = this.#width ?? count;
    return count < width ? this.#ahead.rows === 0 : count - width <= this.#ahead.blankCells;
  }

  /** Returns the cells of a record that spans `more` further lines. */
  #cellsOver(first: LineReading, more: number): readonly string[] {
    const [start = "", ...lines] = this.#lines.slice(this.#at, this.#at + 1 + more);
    const cells = [...first.cells];
    let open = [openCell(start, first)];
    for (const line of lines) {
      const reading = readLine(line, this.#dialect, true);
      const texts = [...reading.cells];
      if (reading.openAt !== undefined) texts.push(openCell(line, reading));
      const [rest = "", ...others] = texts;
      open.push(rest);
      if (reading.isLoose) open.unshift('"');
      const last = others.pop();
      if (last === undefined) continue;
      cells.push(open.join(""), ...others);
      open = [last];
    }
    return [...cells, open.join("")];
  }

  #taken(lines: number, cells: readonly string[]): CsvRecord {
    const record = { line: this.#line, raw: this.#rawOf(lines), cells };
    this.#take(lines);
    if (this.#width === undefined) {
      this.#width = cells.length;
      this.#ahead = new Lookahead(this.#dialect, this.#width);
    }
    return record;
  }

  /** Rejects the current line, so that the next line starts a record. */
  #giveUpLine(reason: string): CsvRecord {
    const record = { line: this.#line, raw: this.#rawOf(1), reason };
    this.#take(1);
    return record;
  }

  #take(lines: number): void {
    this.#at += lines;
    this.#line += lines;
    this.#first = undefined;
    const ahead = this.#ahead;
    if (ahead.lines === 0) return;
    const next = this.#lines[this.#at];
    if (lines === 1 && ahead.lines > 1 && next !== undefined) ahead.dropFirst(next);
    else this.#ahead = new Lookahead(this.#dialect, this.#width);
  }

  /** Returns the text of the next lines, without the last line end. */
  #rawOf(lines: number): string {
    const first = this.#at;
    const last = this.#lines[first + lines - 1] ?? "";
    const end = last.slice(0, endOf(last, this.#dialect.lineEnd));
    return lines === 1 ? end : this.#lines.slice(first, first + lines - 1).join("") + end;
  }
}
