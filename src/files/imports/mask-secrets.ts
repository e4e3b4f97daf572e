/**
 * Masks social security numbers in rejected rows before they are stored: the cells of their
 * columns, and anything of that form in other values.
 */

import { cellsIn, csvLine, type OpenFile } from "../read/index.ts";
import type { MappingReport } from "../columns/index.ts";

/** Means "not given" if the row is sent again. */
const MASK = "***";
const SHAPE = /(?<![\d-])\d{3}[- ]\d{2}[- ](\d{4})(?![\d-])/g;
const NINE_DIGITS = /(?<!\d)\d{9}(?!\d)/g;

/** Returns the columns with social security numbers. */
export function secretHeadings(report: MappingReport): ReadonlySet<string> {
  const named = [...report.matched, ...report.alternatives, ...report.not_taken];
  return new Set(named.filter(({ field }) => field === "ssn").map(({ heading }) => heading));
}

/** Masks everything in a string that has the form of a social security number. */
export const maskShapes = (text: string): string => text.replace(SHAPE, `${MASK}-**-$1`);

/** Returns a row of a file without social security numbers. */
export function maskRow(
  raw: string,
  file: Omit<OpenFile, "rows">,
  secret: ReadonlySet<string>,
): string {
  if (secret.size === 0) return maskShapes(raw);
  const masked = file.format === "csv" ? maskCells(raw, file, secret) : maskMembers(raw, secret);
  // If a row cannot be split into cells, every number that could be an SSN is masked.
  return maskShapes(masked ?? raw.replace(NINE_DIGITS, MASK));
}

function maskCells(
  raw: string,
  { headings, delimiter = "," }: Omit<OpenFile, "rows">,
  secret: ReadonlySet<string>,
): string | undefined {
  const cells = cellsIn(raw, delimiter);
  // Shifted cells may have moved the number into another column.
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
      secret.has(name) && value !== null && value !== "" ? MASK : (value as unknown),
    ]);
    return JSON.stringify(Object.fromEntries(masked));
  } catch {
    return undefined;
  }
}
