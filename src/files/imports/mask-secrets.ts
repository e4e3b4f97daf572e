/**
 * Masks social security numbers in rejected rows before they are stored. Masks all cells in columns of such numbers,
 * and everything in other cells that looks like one.
 */

import { cellsIn, csvLine, type OpenFile, storable } from "../read/index.ts";
import type { MappingReport } from "../columns/index.ts";

/** The mask. If a rejected row is imported again, a masked value counts as missing. */
const MASK = "***";
const SHAPE = /(?<![\d-])\d{3}[- ]\d{2}[- ](\d{4})(?![\d-])/g;
const NINE_DIGITS = /(?<!\d)\d{9}(?!\d)/g;

/** Returns the columns that contain social security numbers. */
export function secretHeadings(report: MappingReport): ReadonlySet<string> {
  const named = [...report.matched, ...report.alternatives, ...report.not_taken];
  return new Set(named.filter(({ field }) => field === "ssn").map(({ heading }) => heading));
}

/** Masks everything in a string that looks like a social security number. */
export const maskShapes = (text: string): string => text.replace(SHAPE, `${MASK}-**-$1`);

/** Returns the text of a row with social security numbers masked. */
export function maskRow(
  raw: string,
  file: Omit<OpenFile, "rows">,
  secret: ReadonlySet<string>,
): string {
  if (secret.size === 0) return maskShapes(raw);
  const masked = file.format === "csv" ? maskCells(raw, file, secret) : maskMembers(raw, secret);
  // The row cannot be split into cells, so mask every number that could be a social security number.
  return maskShapes(masked ?? raw.replace(NINE_DIGITS, MASK));
}

function maskCells(
  raw: string,
  { headings, delimiter = "," }: Omit<OpenFile, "rows">,
  secret: ReadonlySet<string>,
): string | undefined {
  const cells = cellsIn(raw, delimiter);
  // Extra cells may have shifted the number into another column.
  if (cells === undefined || cells.length > headings.length) return undefined;
  const masked = cells.map((cell, at) =>
    cell !== "" && secret.has(headings[at] ?? "") ? MASK : cell,
  );
  return csvLine(masked, delimiter);
}

function maskMembers(raw: string, secret: ReadonlySet<string>): string | undefined {
  try {
    const row = JSON.parse(raw) as unknown;
    if (typeof row !== "object" || row === null || Array.isArray(row)) return undefined;
    const masked = Object.entries(row).map(([name, value]) => [
      name,
      secret.has(storable(name)) && value !== null && value !== "" ? MASK : (value as unknown),
    ]);
    return JSON.stringify(Object.fromEntries(masked));
  } catch {
    return undefined;
  }
}
