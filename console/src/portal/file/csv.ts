/**
 * Reads partners' CSV files in any encoding and with any delimiter, and writes CSV files for
 * spreadsheets.
 */

export interface CsvRow {
  /** The row number in a spreadsheet, which also counts empty rows. Usually, row 1 contains the column headers. */
  readonly row: number;
  readonly values: readonly string[];
}

export interface CsvTable {
  readonly headings: readonly string[];
  readonly rows: readonly CsvRow[];
}

const DELIMITERS = [",", ";", "\t", "|"] as const;

/**
 * Reads a table from a file in UTF-8, UTF-16 with a byte order mark, or Windows-1252, with any
 * common delimiter and line ending. Removes an apostrophe that `forSpreadsheet` may have added.
 * Throws an error with the parser's message if a quote is never closed.
 */
export async function readCsv(bytes: ArrayBuffer): Promise<CsvTable> {
  const { parse } = await import("csv-parse/browser/esm/sync");
  const text = decode(bytes);
  const records = parse(text, {
    delimiter: delimiterOf(text),
    relax_column_count: true,
    relax_quotes: true,
    trim: true,
  }) as unknown as readonly (readonly string[])[];
  const [head, ...rows] = records
    .map((record, at) => ({ row: at + 1, values: record.map(fromSpreadsheet) }))
    .filter(({ values }) => values.some((value) => value !== ""));
  return { headings: head?.values ?? [], rows };
}

function decode(bytes: ArrayBuffer): string {
  const [first, second] = new Uint8Array(bytes.slice(0, 2));
  // Each decoder removes the byte order mark of its encoding.
  if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

/** Returns the most frequent delimiter in the header row, ignoring quoted text. */
function delimiterOf(text: string): string {
  const counts = new Map<string, number>();
  let isQuoted = false;
  for (const character of text) {
    if (character === '"') isQuoted = !isQuoted;
    else if (!isQuoted && (character === "\n" || character === "\r") && counts.size > 0) break;
    else if (!isQuoted) counts.set(character, (counts.get(character) ?? 0) + 1);
  }
  const count = (delimiter: string) => counts.get(delimiter) ?? 0;
  return DELIMITERS.reduce((best, next) => (count(next) > count(best) ? next : best));
}

const FORMULA = /^[=+\-@'\t\r]/;
const GUARDED = /^'[=+\-@'\t\r]/;

/**
 * Prevents spreadsheets from evaluating a cell: adds `'` before anything that looks like a formula.
 */
const forSpreadsheet = (text: string): string => (FORMULA.test(text) ? `'${text}` : text);

const fromSpreadsheet = (text: string): string => (GUARDED.test(text) ? text.slice(1) : text);

/**
 * Writes CSV (RFC 4180) that spreadsheets open as UTF-8. Formulas are disabled and whitespace
 * around cells is removed.
 */
export async function writeCsv(rows: readonly (readonly string[])[]): Promise<string> {
  const { stringify } = await import("csv-stringify/browser/esm/sync");
  return stringify(
    rows.map((row) => row.map((cell) => forSpreadsheet(cell.trim()))),
    { bom: true, record_delimiter: "windows", quote_record_delimiter: true },
  );
}
