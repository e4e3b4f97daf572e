/** Detects spreadsheet exports that are imported without the option that removes the `'` before their values. */

import { FileError, isGuarded, mayBeFormula, type OpenOptions } from "../read/index.ts";
import { isOwnExport } from "../headings/index.ts";
import { readableOf, type OpenSample } from "./whole-columns.ts";

const HOW =
  "set the option spreadsheet (--spreadsheet on the command line, Exported for spreadsheets in the console)";

const EXPORTED = `The file was exported for spreadsheets, with ' before phone numbers and other values; ${HOW}`;

const PERHAPS_EXPORTED =
  "Some values in the file start with ', as in exports for spreadsheets, and the ' is imported; to remove it, " +
  HOW;

const NEGATIVE_NUMBER = /^-[\d.]/;
const PHONE = /^'\+\d/;

/**
 * Returns a notice if the first rows of a Leadport CSV look like a spreadsheet export: no cell starts with `=`, `+`,
 * `-` or `@`. Throws FileError if phone numbers prove that it is a spreadsheet export. Does nothing if the option was
 * given, even with the value false.
 */
export function spreadsheetNotices(
  { file, headings, rows }: OpenSample,
  { spreadsheet }: OpenOptions,
): readonly string[] {
  if (spreadsheet !== undefined || file.format !== "csv" || !isOwnExport(headings)) return [];
  let guarded = 0;
  let phones = 0;
  for (const { cells } of readableOf(rows)) {
    for (const [heading, cell] of cells) {
      if (typeof cell !== "string") continue;
      if (isGuarded(cell)) {
        guarded += 1;
        if (heading === "phone" && PHONE.test(cell)) phones += 1;
      } else if (mayBeFormula(cell) && !NEGATIVE_NUMBER.test(cell)) {
        return [];
      }
    }
  }
  if (phones > 0) throw new FileError(EXPORTED);
  return guarded === 0 ? [] : [PERHAPS_EXPORTED];
}
