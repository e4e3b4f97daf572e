/** Rows → CSV text by RFC 4180, and texts that spreadsheet programs take for formulas. */

import { stringify } from "csv-stringify/sync";
import type { Delimiter } from "./csv-line.ts";

const CRLF = "\r\n";

/** Rows as CSV, each with its line end. Every cell with a delimiter, quote, CR or LF is quoted. */
export const csvText = (rows: readonly (readonly string[])[], delimiter: Delimiter = ","): string =>
  stringify(
    rows.map((row) => [...row]),
    // Without the last option only whole CRLFs are quoted, and a cell with a single LF becomes two rows.
    { delimiter, record_delimiter: CRLF, quote_record_delimiter: true },
  );

/** One row as CSV, without a line end. */
export const csvLine = (cells: readonly string[], delimiter?: Delimiter): string =>
  csvText([cells], delimiter).slice(0, -CRLF.length);

const FORMULA = /^[=+\-@'\t\r]/;
const GUARDED = /^'[=+\-@'\t\r]/;

/** Whether a spreadsheet would take a text for a formula, or remove its `'`. */
export const mayBeFormula = (text: string): boolean => FORMULA.test(text);

/** Whether a cell begins like those that `forSpreadsheet` changes. */
export const isGuarded = (cell: string): boolean => GUARDED.test(cell);

/** A text as a spreadsheet shows it: with `'` where it would be taken for a formula, or begins with `'`. */
export const forSpreadsheet = (text: string): string => (mayBeFormula(text) ? `'${text}` : text);

/** The text of such a cell again. Only a `'` that `forSpreadsheet` can have added is removed. */
export const fromSpreadsheet = (cell: string): string => (isGuarded(cell) ? cell.slice(1) : cell);
