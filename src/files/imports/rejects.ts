/**
 * Writes rejected rows to a file that can be fixed and imported again. Each row has its line number and reason,
 * followed by its original cells under their own column headers.
 */

import { beginningOf, cellsIn, csvText, isLongerThan, type OpenFile } from "../read/index.ts";
import type { MappingReport } from "../columns/index.ts";
import { isRejectHeading, REJECT_HEADINGS } from "../headings/index.ts";
import { maskRow, maskShapes, secretHeadings } from "./mask-secrets.ts";
import type { RefusedRow } from "../rows/index.ts";

export interface RejectsWriter {
  /** The header line, or an empty string for NDJSON. */
  readonly head: string;
  readonly lineOf: (row: RefusedRow) => string;
}

/**
 * Creates a writer for the format of the original file: CSV with the same delimiter, or NDJSON. If the original file is
 * a file of rejects itself, its lines and reasons are replaced.
 */
export function rejectsWriter(file: Omit<OpenFile, "rows">): RejectsWriter {
  if (file.format === "ndjson") return { head: "", lineOf: ndjsonLine };
  const { delimiter = ",", headings } = file;
  const own = (cells: readonly string[]) =>
    cells.filter((_, at) => !isRejectHeading(headings[at] ?? ""));
  return {
    head: csvText([[...REJECT_HEADINGS, ...own(headings)]], delimiter),
    lineOf: ({ line, reason, raw }) => {
      // If a row has unbalanced quotes, split it at every delimiter.
      const cells = cellsIn(raw, delimiter) ?? raw.split(delimiter);
      return csvText([[String(line), reason, ...own(cells)]], delimiter);
    },
  };
}

/** Maximum size of a row that is stored with an import's rejects. */
const STORED_ROW_MAX_bytes = 64 * 1024;
const REASON_CHARACTERS = 1000;

/**
 * Prepares rejected rows for storage: masks social security numbers and limits their size. Long rows are stored without
 * their text, because a truncated row could be imported by mistake.
 */
export function storedRejects(
  rows: readonly RefusedRow[],
  file: Omit<OpenFile, "rows">,
  report: MappingReport,
): readonly RefusedRow[] {
  const secret = secretHeadings(report);
  return rows.map(({ line, reason, raw }) => {
    const short = maskShapes(beginningOf(reason, REASON_CHARACTERS));
    if (!isLongerThan(raw, STORED_ROW_MAX_bytes)) {
      return { line, reason: short, raw: maskRow(raw, file, secret) };
    }
    const most = STORED_ROW_MAX_bytes / 1024;
    return {
      line,
      reason: `${short} (rows over ${most} KiB are not stored; see the file)`,
      raw: "",
    };
  });
}

type ReadPage = (page: {
  readonly after: number;
  readonly limit: number;
}) => Promise<readonly RefusedRow[]>;

/** Maximum number of rejects per page. A page takes up to a few megabytes. */
const PAGE = 100;

/** Yields the text of the rejects file, read page by page. */
export async function* rejectsText(
  file: Omit<OpenFile, "rows">,
  readPage: ReadPage,
): AsyncGenerator<string> {
  const { head, lineOf } = rejectsWriter(file);
  if (head !== "") yield head;
  for (let after = 0; ;) {
    const rows = await readPage({ after, limit: PAGE });
    if (rows.length > 0) yield rows.map(lineOf).join("");
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE) return;
    after = last.line;
  }
}

function ndjsonLine({ line, reason, raw }: RefusedRow): string {
  const rejected = { reject_line: line, reject_reason: reason };
  try {
    const row = JSON.parse(raw) as unknown;
    if (typeof row === "object" && row !== null && !Array.isArray(row)) {
      // The line and reason come first, and replace those of an earlier import.
      return `${JSON.stringify({ ...rejected, ...row, ...rejected })}\n`;
    }
  } catch {
    // The line is not JSON, so it is stored as text.
  }
  return `${JSON.stringify({ ...rejected, reject_text: raw })}\n`;
}
