/** Formats an import for responses: its options, results and progress. */

import { namesOf, pick } from "../../platform/json/index.ts";
import { withDates } from "../../platform/schemas/index.ts";
import { LISTED } from "./import-members.ts";
import { stateOf, type ImportRow } from "./imports.ts";
import { beginningOf } from "../read/index.ts";
import type { RefusedRow } from "../rows/index.ts";

export function importView(row: ImportRow, now_ms: number) {
  const view = {
    skipped: 0,
    references: {},
    ...row.tally,
    ...row,
    type: row.record_type,
    state: stateOf(row, now_ms),
    columns: row.columns ?? null,
    changed_records: changedRecords(row),
    userid: row.person_id,
    user_name: row.person_name,
  };
  return pick(withDates(view), namesOf(LISTED));
}

/** Returns the number of existing records that a dry run would change, or null if unknown. */
const changedRecords = ({ dry_run, updated, tally }: ImportRow): number | null =>
  dry_run ? (tally.changed_records ?? (updated === 0 ? 0 : null)) : null;

/** Rows longer than this are truncated in responses. The rejects file contains them in full. */
const SHOWN_CHARACTERS = 4096;

/** Returns an import with the members that lists omit. */
export const withDetails = (row: ImportRow, now_ms: number, rejects: readonly RefusedRow[]) => ({
  ...importView(row, now_ms),
  examples: row.tally.examples ?? [],
  rejects: rejects.map(({ line, reason, raw }) => ({
    line,
    reason,
    raw: beginningOf(raw, SHOWN_CHARACTERS),
  })),
});
