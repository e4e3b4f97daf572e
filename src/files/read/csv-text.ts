/** Writes rows as CSV (RFC 4180), and protects values that spreadsheet programs would interpret as formulas. */

import { stringify } from "csv-stringify/sync";
import type { Delimiter } from "./csv-line.ts";

const CRLF = "\r\n";

/** Formats rows as CSV with line ends. Cells with a delimiter, quote, CR or LF are quoted. */
export const csvText = (rows: readonly (readonly string[])[], delimiter: Delimiter = ","): string =>
  stringify(
    rows.map((row) => [...row]),
    // Without `quote_record_delimiter`, cells are quoted only if they contain CRLF, and a cell with a single LF would
    // become two rows.
    { delimiter, record_delimiter: CRLF, quote_record_delimiter: true },
  );

/** Formats one row as CSV, without a line end. */
export const csvLine = (cells: readonly string[], delimiter?: Delimiter): string =>
  csvText([cells], delimiter).slice(0, -CRLF.length);

const FORMULA = /^[=+\-@'\t\r]/;
const GUARDED = /^'[=+\-@'\t\r]/;

/** Whether a spreadsheet would interpret a string as a formula, or remove its `'`. */
export const mayBeFormula = (text: string): boolean => FORMULA.test(text);

/** Whether a cell looks like a value that `forSpreadsheet` has changed. */
export const isGuarded = (cell: string): boolean => GUARDED.test(cell);

/**
 * Returns a string in a form that spreadsheets display unchanged. Puts a `'` in front if the string would be
 * interpreted as a formula or itself starts with `'`.
 */
export const forSpreadsheet = (text: string): string => (mayBeFormula(text) ? `'${text}` : text);

/** Reverses `forSpreadsheet`. Removes only a `'` that `forSpreadsheet` may have added. */
export const fromSpreadsheet = (cell: string): string => (isGuarded(cell) ? cell.slice(1) : cell);
