/**
 * Writes rows as CSV according to RFC 4180, and guards texts that spreadsheet programs would take
 * for formulas.
 */

import { stringify } from "csv-stringify/sync";
import type { Delimiter } from "./csv-line.ts";

const CRLF = "\r\n";

/** Rows as CSV with line ends. Cells with a delimiter, quote, CR or LF are quoted. */
export const csvText = (rows: readonly (readonly string[])[], delimiter: Delimiter = ","): string =>
  stringify(
    rows.map((row) => [...row]),
    // Without the last option only complete CRLFs are quoted, and a cell with a single LF would
    // become two rows.
    { delimiter, record_delimiter: CRLF, quote_record_delimiter: true },
  );

/** One row as CSV, without a line end. */
export const csvLine = (cells: readonly string[], delimiter?: Delimiter): string =>
  csvText([cells], delimiter).slice(0, -CRLF.length);

const FORMULA = /^[=+\-@'\t\r]/;
const GUARDED = /^'[=+\-@'\t\r]/;

/** Whether a spreadsheet would take a text for a formula, or remove its `'`. */
export const mayBeFormula = (text: string): boolean => FORMULA.test(text);

/** Whether a cell starts like the ones that `forSpreadsheet` changes. */
export const isGuarded = (cell: string): boolean => GUARDED.test(cell);

/**
 * The text as a spreadsheet shows it: with a `'` in front if it would be taken for a formula, or
 * starts with `'`.
 */
export const forSpreadsheet = (text: string): string => (mayBeFormula(text) ? `'${text}` : text);

/** The original text of such a cell. Only a `'` that `forSpreadsheet` can have added is removed. */
export const fromSpreadsheet = (cell: string): string => (isGuarded(cell) ? cell.slice(1) : cell);
