/** The state of back-fills in the database. */

import { type Connection, run } from "../database/index.ts";

export interface BackfillState {
  readonly name: string;
  /** The rows that the current pass has read, and about how many it will read. */
  readonly rows_done: number;
  readonly rows_total: number;
  readonly is_finished: boolean;
}

/** Returns the back-fills that were started, in that order. */
export const readBackfills = (db: Connection): Promise<readonly BackfillState[]> =>
  run<BackfillState[]>(db)`
    select name, rows_done, greatest(rows_total, rows_done) as rows_total,
           finished_at is not null as is_finished
      from backfills order by started_at, name`;

/** Restarts back-fills, so that they read all rows again. Default: all. */
export async function repeatBackfills(db: Connection, name?: string): Promise<void> {
  await run(db)`
    update backfills set position = null, pass = 1, rows_done = 0, has_missed = false, finished_at = null
     where name = coalesce(${name ?? null}::text, name)`;
}
