/** Formats a value in a line: quantities as numbers, amounts as money, custom members unchanged. */

import { isNothing, memberText, money, number } from "../../ui/format/index.ts";
import { cellOf, type Line, type LineColumn } from "../../record/lists/index.ts";

const COUNTS = new Set(["qty", "unit_count"]);

/** Undefined if the line has no value in the column. */
export function lineCell(line: Line, column: LineColumn, currency: string): string | undefined {
  const value = cellOf(line, column);
  if (isNothing(value)) return undefined;
  if (typeof value !== "number" || !column.isKnown) return memberText(value);
  return COUNTS.has(column.path.at(-1) ?? "") ? number(value) : money(value, currency);
}
