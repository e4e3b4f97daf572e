/**
 * Reads a file row by row. Detects the format, encoding and dialect from the file's name and contents. If a row cannot
 * be parsed, returns it as an unreadable row and continues.
 */

import { CsvReader, detectDialect, type CsvRecord } from "./csv.ts";
import type { Delimiter } from "./csv-line.ts";
import { fromSpreadsheet } from "./csv-text.ts";
import { decode, type Decoded, type Encoding } from "./decode.ts";
import {
  CELL_MAX_bytes,
  COLUMNS_MAX,
  isLongerThan,
  NAMES_MAX_bytes,
  ROW_MAX_bytes,
} from "./limits.ts";
import { readAll } from "./lines.ts";
import { NdjsonReader } from "./ndjson.ts";
import type { Cells, Row, UnreadableRow } from "./row.ts";
import { storable } from "./storable.ts";

export const FORMATS = ["csv", "ndjson"] as const;
export type Format = (typeof FORMATS)[number];

export interface OpenFile {
  readonly format: Format;
  readonly encoding: Encoding;
  /** The delimiter of a CSV file. Not set for NDJSON. */
  readonly delimiter?: Delimiter;
  /** The column names in the first line of a CSV file. Empty for NDJSON, whose member names are found row by row. */
  readonly headings: readonly string[];
  /** The rows, in batches as they are read. */
  readonly rows: AsyncIterable<readonly (Row | UnreadableRow)[]>;
}

export interface OpenOptions {
  /** The file name. Only its extension matters. */
  readonly name?: string | undefined;
  readonly format?: Format | undefined;
  readonly encoding?: Encoding | undefined;
  readonly delimiter?: Delimiter | undefined;
  /** Whether the file was exported for a spreadsheet. If so, the `'` before values is removed. CSV only. */
  readonly spreadsheet?: boolean | undefined;
}

/** Thrown if the file as a whole cannot be read. */
export class FileError extends Error {
  override readonly name = "FileError";
}

const HEAD_CHARACTERS = 64 * 1024;

export const isUnreadable = (row: Row | UnreadableRow): row is UnreadableRow => "reason" in row;

/** Opens a file. Throws FileError if it is empty or is neither CSV nor NDJSON. */
export async function openRows(
  bytes: AsyncIterable<Uint8Array>,
  options: OpenOptions = {},
): Promise<OpenFile & Pick<Decoded, "guessed">> {
  const { encoding, guessed, isArchive, text } = await decode(bytes, options);
  if (isArchive) {
    throw new FileError("The file is a workbook or an archive; save the table as CSV first");
  }
  const { head, whole } = await peek(text);
  if (head.trim() === "") throw new FileError("The file is empty");
  const format = options.format ?? detectFormat(head, options.name);
  if (format === "ndjson") {
    return { guessed, format, encoding, headings: [], rows: readAll(whole, new NdjsonReader()) };
  }
  return { guessed, format, encoding, ...(await openCsv(head, whole, options)) };
}

async function openCsv(head: string, whole: AsyncIterable<string>, options: OpenOptions) {
  // Excel can specify the delimiter in the first line of a file.
  const declared = /^sep=([,;\t|])(?:\r\n|\n|\r)/.exec(head);
  const hint = options.name?.toLowerCase().endsWith(".tsv") === true ? "\t" : ",";
  const detected = detectDialect(head.slice(declared?.[0].length ?? 0), hint);
  const delimiter =
    options.delimiter ?? (declared?.[1] as Delimiter | undefined) ?? detected.delimiter;
  const reader = new CsvReader({ ...detected, delimiter }, declared === null ? 0 : 1);
  const records = readAll(whole, reader);
  const [first, ...others] = await firstGroup(records);
  if (first === undefined || "reason" in first) {
    throw new FileError(
      "The first line of the file, which contains the column names, cannot be read",
    );
  }
  const cellOf = options.spreadsheet === true ? fromSpreadsheet : unchanged;
  const headings = namesIn(first.cells.map(cellOf));
  const columns = new Map(headings.map((name, at) => [name, at]));
  const all = (async function* () {
    yield others;
    yield* records;
  })();
  return { delimiter, headings, rows: rowsOf(all, columns, cellOf) };
}

type CellOf = (text: string) => string;
const unchanged: CellOf = (text) => text;

async function firstGroup(records: AsyncIterator<readonly CsvRecord[]>) {
  for (;;) {
    const { done, value } = await records.next();
    if (done === true) return [];
    if (value.length > 0) return value;
  }
}

/** Returns the column names of a file. Throws FileError if they exceed a limit. */
function namesIn(cells: readonly string[]): readonly string[] {
  if (cells.length > COLUMNS_MAX) {
    throw new FileError(`The file has more than ${COLUMNS_MAX} columns`);
  }
  const size = cells.reduce((sum, cell) => sum + Buffer.byteLength(cell), 0);
  if (size > NAMES_MAX_bytes) {
    const most = NAMES_MAX_bytes / 1024;
    throw new FileError(`The column names of the file have more than ${most} KiB in total`);
  }
  return distinct(cells);
}

function detectFormat(head: string, name = ""): Format {
  const lower = name.toLowerCase();
  if (lower.endsWith(".ndjson") || lower.endsWith(".jsonl")) return "ndjson";
  const line = head.trimStart().split(/\r\n|\n|\r/, 1)[0] ?? "";
  if (line.startsWith("[")) {
    throw new FileError("The file is a JSON array; convert it to NDJSON, with one object per line");
  }
  try {
    return typeof JSON.parse(line) === "object" ? "ndjson" : "csv";
  } catch {
    return "csv";
  }
}

/**
 * Makes column names storable and unique. A second "Email" becomes "Email (2)", or the next number that no other column
 * has. A column without a name becomes "column 3".
 */
function distinct(headings: readonly string[]): readonly string[] {
  const names = headings.map((given, at) => storable(given.trim()) || `column ${at + 1}`);
  const taken = new Set(names);
  const counts = new Map<string, number>();
  return names.map((heading) => {
    let count = (counts.get(heading) ?? 0) + 1;
    while (count > 1 && taken.has(`${heading} (${count})`)) count += 1;
    counts.set(heading, count);
    return count === 1 ? heading : `${heading} (${count})`;
  });
}

async function* rowsOf(
  groups: AsyncIterable<readonly CsvRecord[]>,
  columns: ReadonlyMap<string, number>,
  cellOf: CellOf,
): AsyncGenerator<readonly (Row | UnreadableRow)[]> {
  for await (const records of groups) {
    const rows: (Row | UnreadableRow)[] = [];
    for (const record of records) {
      const row = rowOf(record, columns, cellOf);
      if (row !== undefined) rows.push(row);
    }
    yield rows;
  }
}

/** Returns the row of a record, or undefined if all its cells are blank. */
function rowOf(
  record: CsvRecord,
  columns: ReadonlyMap<string, number>,
  cellOf: CellOf,
): Row | UnreadableRow | undefined {
  if ("reason" in record) return record;
  const { line, raw, cells } = record;
  const excess = excessOf(raw, cells, columns.size);
  if (excess !== undefined) return { line, raw, reason: excess };
  if (cells.every((cell) => cell.trim() === "")) return undefined;
  return {
    line,
    raw,
    cells: new CsvCells(columns, cellOf === unchanged ? cells : cells.map(cellOf)),
  };
}

/**
 * A record's cells by column name. All rows share the map of columns, so that the time per row does not depend on the
 * number of columns.
 */
class CsvCells implements Cells {
  readonly #columns: ReadonlyMap<string, number>;
  readonly #cells: readonly string[];

  constructor(columns: ReadonlyMap<string, number>, cells: readonly string[]) {
    this.#columns = columns;
    this.#cells = cells;
  }

  get(name: string): string | undefined {
    const at = this.#columns.get(name);
    return at === undefined ? undefined : (this.#cells[at] ?? "");
  }

  keys(): Iterable<string> {
    return this.#columns.keys();
  }

  values(): Iterable<string> {
    return Array.from(this.#columns.values(), (at) => this.#cells[at] ?? "");
  }

  *[Symbol.iterator](): Iterator<readonly [string, string]> {
    for (const [name, at] of this.#columns) yield [name, this.#cells[at] ?? ""];
  }
}

/** Returns the limit that a record exceeds, or undefined if it exceeds none. */
function excessOf(raw: string, cells: readonly string[], columns: number): string | undefined {
  if (isLongerThan(raw, ROW_MAX_bytes)) return "the row is longer than 4 MiB";
  if (isLongerThan(raw, CELL_MAX_bytes) && cells.some((cell) => isLongerThan(cell, CELL_MAX_bytes)))
    return "a cell of the row is longer than 1 MiB";
  if (cells.length > COLUMNS_MAX) return `more than ${COLUMNS_MAX} cells`;
  if (cells.length <= columns) return undefined;
  return cells.slice(columns).some((cell) => cell.trim() !== "")
    ? `the row has ${cells.length} cells, but the file has ${columns} columns`
    : undefined;
}

/** Returns the start of the text, and the complete text including that start. */
async function peek(text: AsyncIterable<string>) {
  const source = text[Symbol.asyncIterator]();
  let head = "";
  while (head.length < HEAD_CHARACTERS) {
    const { done, value } = await source.next();
    if (done === true) break;
    head += value;
  }
  const whole = (async function* () {
    try {
      yield head;
      yield* { [Symbol.asyncIterator]: () => source };
    } finally {
      await source.return?.();
    }
  })();
  return { head: head.slice(0, HEAD_CHARACTERS), whole };
}
