/**
 * Text in a CSV dialect → records with their line numbers. A quote that is never closed costs the
 * line in which it was opened, not the rest of the file: parsing goes on with the line after it.
 */

import { parse, type Parser } from "csv-parse";
import { parse as parseWhole } from "csv-parse/sync";

export const DELIMITERS = [",", ";", "\t", "|"] as const;
export type Delimiter = (typeof DELIMITERS)[number];

export interface Dialect {
  readonly delimiter: Delimiter;
  /** Bare carriage returns end lines in the files of old Macs. */
  readonly lineEnd: "\n" | "\r";
}

/** A record as it stands in the file. `line` counts physical lines from 1. */
export interface CsvRecord {
  readonly line: number;
  readonly raw: string;
  /** Undefined where the record cannot be read; then `reason` says why. */
  readonly cells?: readonly string[];
  readonly reason?: string;
}

/** A longer record is taken for a quote that was never closed. */
const RECORD_BYTES_MAX = 1024 * 1024;
const SAMPLE_RECORDS = 50;

/** Tells delimiter and line ends from the beginning of a file. `hint` wins where all are equal. */
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

/** Cells of the heading × the share of records that have as many; 0 where nothing is divided. */
function regularity(records: readonly (readonly string[])[]): number {
  const width = records[0]?.length ?? 0;
  if (width < 2) return 0;
  const alike = records.filter((cells) => cells.length === width).length;
  return width * (alike / records.length) ** 2;
}

function sampleOf(head: string, dialect: Dialect): readonly (readonly string[])[] {
  const options = { ...optionsOf(dialect), to: SAMPLE_RECORDS, skip_records_with_error: true };
  const records = parseWhole(head, options) as unknown as readonly (readonly string[])[];
  return records.length > 2 && records.length < SAMPLE_RECORDS ? records.slice(0, -1) : records;
}

const optionsOf = ({ delimiter, lineEnd }: Dialect) => ({
  delimiter,
  record_delimiter: lineEnd === "\r" ? ["\r"] : ["\r\n", "\n"],
  relax_quotes: true,
  relax_column_count: true,
  skip_empty_lines: true,
});

/** The records of a CSV text, the heading first. */
export async function* readCsv(
  text: AsyncIterable<string>,
  dialect: Dialect,
): AsyncGenerator<CsvRecord> {
  const reader = new CsvReader(dialect);
  for await (const chunk of text) yield* reader.read(Buffer.from(chunk));
  yield* reader.end();
}

/** One record that the parser has found, and where it ends in what the parser was given. */
interface Found {
  readonly cells: readonly string[];
  readonly end_bytes: number;
}

class CsvReader {
  readonly #dialect: Dialect;
  readonly #lineEnd: number;
  #parser: Parser;
  #found: Found[] = [];
  /** What the parser has and no record was made of yet. */
  #window: Buffer = Buffer.alloc(0);
  /** How much the parser was given before the window. */
  #passed_bytes = 0;
  #line = 1;
  /** Cells of the heading; a record over several lines that has another number is broken. */
  #width: number | undefined;

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
    this.#lineEnd = dialect.lineEnd.charCodeAt(0);
    this.#parser = this.#newParser();
  }

  #newParser(): Parser {
    const found: Found[] = [];
    this.#found = found;
    const parser = parse({
      ...optionsOf(this.#dialect),
      on_record: (cells: string[], { bytes }) => {
        found.push({ cells, end_bytes: bytes });
        return undefined;
      },
    });
    // The only error is an open quote at the end, which end() looks for itself.
    parser.on("error", () => {});
    return parser;
  }

  *read(chunk: Buffer): Generator<CsvRecord> {
    this.#window = Buffer.concat([this.#window, chunk]);
    this.#parser.write(chunk);
    yield* this.#drain();
    while (this.#window.length > RECORD_BYTES_MAX) {
      yield this.#giveUpLine("a quote is opened and not closed");
      yield* this.#drain();
    }
  }

  async *end(): AsyncGenerator<CsvRecord> {
    for (;;) {
      await this.#endParser();
      const before = this.#window.length;
      yield* this.#drain();
      if (isBlank(this.#window)) return;
      if (this.#window.length === before || this.#found.length === 0) {
        yield this.#giveUpLine("a quote is opened and not closed");
      }
    }
  }

  async #endParser(): Promise<void> {
    const parser = this.#parser;
    if (parser.destroyed || parser.writableFinished) return;
    const ended = new Promise<void>((resolve) => parser.once("close", resolve));
    parser.resume();
    parser.end();
    await ended;
  }

  *#drain(): Generator<CsvRecord> {
    for (let found = this.#found.shift(); found !== undefined; found = this.#found.shift()) {
      const size = found.end_bytes - this.#passed_bytes;
      const raw = this.#window.subarray(0, size);
      const blank = this.#blankStart(raw);
      const lines = this.#count(raw.subarray(blank.bytes));
      this.#width ??= found.cells.length;
      if (lines > 1 && (found.cells.length !== this.#width || hasLooseQuote(found.cells, raw))) {
        yield this.#giveUpLine("a quote in this line spoils the lines that follow");
        continue;
      }
      yield {
        line: this.#line + blank.lines,
        raw: trimLineEnd(raw.subarray(blank.bytes).toString()),
        cells: found.cells,
      };
      this.#line += blank.lines + lines;
      this.#window = this.#window.subarray(size);
      this.#passed_bytes = found.end_bytes;
    }
  }

  /** Refuses the first line of the window and has what follows it parsed anew. */
  #giveUpLine(reason: string): CsvRecord {
    const blank = this.#blankStart(this.#window);
    const end = this.#window.indexOf(this.#lineEnd, blank.bytes);
    const size = end === -1 ? this.#window.length : end + 1;
    const raw = trimLineEnd(this.#window.subarray(blank.bytes, size).toString());
    const line = this.#line + blank.lines;
    this.#parser.destroy();
    this.#parser = this.#newParser();
    this.#passed_bytes = 0;
    this.#line = line + 1;
    this.#window = this.#window.subarray(size);
    if (this.#window.length > 0) this.#parser.write(this.#window);
    return { line, raw, reason };
  }

  /** Blank lines before a record belong to none. */
  #blankStart(raw: Buffer): { readonly bytes: number; readonly lines: number } {
    let bytes = 0;
    let lines = 0;
    while (raw[bytes] === 0x0a || raw[bytes] === 0x0d) {
      if (raw[bytes] === this.#lineEnd) lines += 1;
      bytes += 1;
    }
    return { bytes, lines };
  }

  /** Lines that this text fills; the last one may lack its end. */
  #count(raw: Buffer): number {
    let lines = 0;
    let at = raw.indexOf(this.#lineEnd);
    for (; at !== -1; at = raw.indexOf(this.#lineEnd, at + 1)) lines += 1;
    return raw.at(-1) === this.#lineEnd ? lines : lines + 1;
  }
}

/**
 * Whether a quote was closed in the middle of a cell, which leaves the opening one in the text.
 * Over several lines this means that the quote of one row was closed by that of another.
 */
const hasLooseQuote = (cells: readonly string[], raw: Buffer) =>
  cells.some((cell) => cell.startsWith('"') && /[\r\n]/.test(cell)) && !raw.includes('"""');

const isBlank = (bytes: Buffer) => bytes.every((byte) => byte === 0x0a || byte === 0x0d);
const trimLineEnd = (raw: string) => raw.replace(/(\r\n|\n|\r)$/, "");
