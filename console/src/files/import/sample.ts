/**
 * Reads the first few rows of a file in the browser. They are shown next to the column mapping. This is
 * only a preview: the service reads the whole file itself.
 */

import type { Detected } from "./import.ts";

export interface Sample {
  readonly headings: readonly string[];
  /** A few distinct values by column header. */
  readonly values: ReadonlyMap<string, readonly string[]>;
}

const SAMPLE_BYTES = 128 * 1024;
const ROWS = 200;
const VALUES = 3;
const DELIMITERS = [",", ";", "\t", "|"];

/**
 * Reads the beginning of a file, using the encoding and delimiter that the service detected, if
 * available.
 */
export async function readSample(file: Blob, job: Partial<Detected> | null): Promise<Sample> {
  const bytes = new Uint8Array(await file.slice(0, SAMPLE_BYTES).arrayBuffer());
  const encoding = job?.encoding ?? encodingOf(bytes);
  const text = new TextDecoder(encoding).decode(bytes).replace(/^sep=.(\r\n|\n|\r)/, "");
  const isJson = job?.format === undefined ? text.startsWith("{") : job.format === "ndjson";
  const rows = isJson ? objectsIn(text) : tableIn(text, job?.delimiter);
  const headings = [...new Set(rows.flatMap((row) => [...row.keys()]))];
  return {
    headings,
    values: new Map(
      headings.map((heading) => {
        const cells = rows
          .map((row) => row.get(heading)?.trim() ?? "")
          .filter((cell) => cell !== "");
        return [heading, [...new Set(cells)].slice(0, VALUES)];
      }),
    ),
  };
}

type SampleRow = ReadonlyMap<string, string>;

function encodingOf(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  if (bytes.subarray(0, 200).includes(0)) return bytes[0] === 0 ? "utf-16be" : "utf-16le";
  try {
    // A character that is cut off at the end is not an error.
    new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true });
    return "utf-8";
  } catch {
    return "windows-1252";
  }
}

function objectsIn(text: string): readonly SampleRow[] {
  const rows: SampleRow[] = [];
  for (const line of text.split(/\r?\n/).slice(0, ROWS)) {
    try {
      const row = JSON.parse(line) as Readonly<Record<string, unknown>>;
      const cells = Object.entries(row).map(([name, value]): [string, string] => [
        name,
        typeof value === "string" ? value : value === null ? "" : JSON.stringify(value),
      ]);
      rows.push(new Map(cells));
    } catch {
      // Ignore invalid lines: the last line may be incomplete, and the check reports all others.
    }
  }
  return rows;
}

function tableIn(text: string, job: string | undefined): readonly SampleRow[] {
  const tables = (job === undefined ? DELIMITERS : [job]).map((sign) => recordsIn(text, sign));
  const [best = []] = tables.toSorted((a, b) => regularity(b) - regularity(a));
  const [first = [], ...rows] = best;
  const headings = distinct(first);
  const empty = new Map(headings.map((heading) => [heading, ""]));
  return [
    empty,
    ...rows.map((cells) => new Map(headings.map((heading, at) => [heading, cells[at] ?? ""]))),
  ];
}

/**
 * Scores a delimiter: the number of cells in the first record, times the square of the share of records with that
 * number of cells.
 */
function regularity(records: readonly (readonly string[])[]): number {
  const width = records[0]?.length ?? 0;
  const alike = records.filter((cells) => cells.length === width).length;
  return width < 2 ? 0 : width * (alike / records.length) ** 2;
}

/** Makes headers unique in the same way as the service. */
function distinct(headings: readonly string[]): readonly string[] {
  const seen = new Map<string, number>();
  return headings.map((given, at) => {
    const heading = given.trim() === "" ? `column ${at + 1}` : given.trim();
    const count = (seen.get(heading) ?? 0) + 1;
    seen.set(heading, count);
    return count === 1 ? heading : `${heading} (${count})`;
  });
}

/**
 * Parses up to a few hundred records of CSV text. Quoted line breaks and delimiters are part of the
 * cell.
 */
function recordsIn(text: string, delimiter: string): readonly (readonly string[])[] {
  const records: string[][] = [];
  let cells: string[] = [];
  let cell = "";
  let isQuoted = false;
  for (let at = 0; at < text.length && records.length <= ROWS; at += 1) {
    const sign = text[at] as string;
    if (isQuoted) {
      if (sign !== '"') cell += sign;
      else if (text[at + 1] === '"') cell += text[(at += 1)] as string;
      else isQuoted = false;
    } else if (sign === '"' && cell === "") isQuoted = true;
    else if (sign === delimiter) {
      cells.push(cell);
      cell = "";
    } else if (sign === "\n" || sign === "\r") {
      if (sign === "\r" && text[at + 1] === "\n") at += 1;
      if (cells.length > 0 || cell !== "") records.push([...cells, cell]);
      cells = [];
      cell = "";
    } else cell += sign;
  }
  if (!isQuoted && (cells.length > 0 || cell !== "")) records.push([...cells, cell]);
  return records;
}
