/**
 * A file → its rows: format, encoding and dialect are told from name and content (D10.5), and rows
 * are handed out one at a time. A row that cannot be read is handed out as such; the rest go on.
 */

import { detectDialect, readCsv, type CsvRecord, type Delimiter } from "./csv.ts";
import { decode, type Encoding } from "./decode.ts";
import { readNdjson } from "./ndjson.ts";

export type Format = "csv" | "ndjson";

export interface Row {
  /** The line of the file in which the row begins, from 1. */
  readonly line: number;
  /** The row as it stands in the file, without its line end. */
  readonly raw: string;
  /** Heading → value. CSV has texts; NDJSON has what JSON has. */
  readonly cells: ReadonlyMap<string, unknown>;
}

export interface UnreadableRow {
  readonly line: number;
  readonly raw: string;
  readonly reason: string;
}

export interface OpenFile {
  readonly format: Format;
  readonly encoding: Encoding;
  /** CSV only. */
  readonly delimiter?: Delimiter;
  /** CSV: the first line. NDJSON: none; members are met row by row. */
  readonly headings: readonly string[];
  readonly rows: AsyncIterable<Row | UnreadableRow>;
}

export interface OpenOptions {
  /** The file's name, of which only the ending is looked at. */
  readonly name?: string | undefined;
  readonly format?: Format | undefined;
  readonly encoding?: Encoding | undefined;
  readonly delimiter?: Delimiter | undefined;
}

/** The file as a whole cannot be read. */
export class FileError extends Error {
  override readonly name = "FileError";
}

const HEAD_CHARACTERS = 64 * 1024;

export const isUnreadable = (row: Row | UnreadableRow): row is UnreadableRow => "reason" in row;

/** Opens a file. Throws FileError where it is empty or of neither format. */
export async function openRows(
  bytes: AsyncIterable<Uint8Array>,
  options: OpenOptions = {},
): Promise<OpenFile> {
  const { encoding, isArchive, text } = await decode(bytes, options);
  if (isArchive) {
    throw new FileError("The file is a workbook or an archive; save the table as CSV first");
  }
  const { head, whole } = await peek(text);
  if (head.trim() === "") throw new FileError("The file is empty");
  const format = options.format ?? detectFormat(head, options.name);
  if (format === "ndjson") {
    return { format, encoding, headings: [], rows: readNdjson(whole) };
  }
  return await openCsv({ encoding, head, whole, options });
}

interface CsvParts {
  readonly encoding: Encoding;
  readonly head: string;
  readonly whole: AsyncIterable<string>;
  readonly options: OpenOptions;
}

async function openCsv({ encoding, head, whole, options }: CsvParts): Promise<OpenFile> {
  // The first line in which Excel says what divides the cells of the file.
  const declared = /^sep=([,;\t|])(?:\r\n|\n|\r)/.exec(head);
  const hint = options.name?.toLowerCase().endsWith(".tsv") === true ? "\t" : ",";
  const detected = detectDialect(head.slice(declared?.[0].length ?? 0), hint);
  const delimiter =
    options.delimiter ?? (declared?.[1] as Delimiter | undefined) ?? detected.delimiter;
  const records = readCsv(whole, { ...detected, delimiter });
  if (declared !== null) await records.next();
  const first = await records.next();
  if (first.done === true || first.value.cells === undefined) {
    throw new FileError("The first line of the file, its headings, cannot be read");
  }
  const headings = distinct(first.value.cells);
  return {
    format: "csv",
    encoding,
    delimiter,
    headings,
    rows: rowsOf(records, headings),
  };
}

function detectFormat(head: string, name = ""): Format {
  const lower = name.toLowerCase();
  if (lower.endsWith(".ndjson") || lower.endsWith(".jsonl")) return "ndjson";
  const line = head.trimStart().split(/\r\n|\n|\r/, 1)[0] ?? "";
  if (line.startsWith("[")) {
    throw new FileError("The file is a JSON array; NDJSON, one object on each line, is taken");
  }
  try {
    return typeof JSON.parse(line) === "object" ? "ndjson" : "csv";
  } catch {
    return "csv";
  }
}

/** Every heading once: a second "Email" is "Email (2)", a heading without text is "column 3". */
function distinct(headings: readonly string[]): readonly string[] {
  const seen = new Map<string, number>();
  return headings.map((given, index) => {
    const heading = given.trim() === "" ? `column ${index + 1}` : given.trim();
    const count = (seen.get(heading) ?? 0) + 1;
    seen.set(heading, count);
    return count === 1 ? heading : `${heading} (${count})`;
  });
}

async function* rowsOf(
  records: AsyncIterable<CsvRecord>,
  headings: readonly string[],
): AsyncGenerator<Row | UnreadableRow> {
  for await (const { line, raw, cells, reason } of records) {
    if (cells === undefined) {
      yield { line, raw, reason: reason ?? "the row cannot be read" };
    } else if (cells.slice(headings.length).some((cell) => cell.trim() !== "")) {
      yield {
        line,
        raw,
        reason: `${cells.length} cells where the headings are ${headings.length}`,
      };
    } else if (cells.some((cell) => cell.trim() !== "")) {
      yield { line, raw, cells: new Map(headings.map((name, at) => [name, cells[at] ?? ""])) };
    }
  }
}

/** The beginning of a text, and the whole of it again. */
async function peek(
  text: AsyncIterable<string>,
): Promise<{ readonly head: string; readonly whole: AsyncIterable<string> }> {
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
