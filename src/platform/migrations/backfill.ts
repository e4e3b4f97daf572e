/**
 * Runs back-fills (migrations/backfills) in batches of rows by primary key. Each batch is one statement that also
 * stores the position, so a back-fill continues where it was when a process is killed. A batch waits for no lock: it
 * skips rows that requests are changing. The back-fill then starts another pass, as it does if a process of an earlier
 * release was running and could have written rows. It is finished after a pass that has missed nothing.
 */

import sql, { join, raw, type Sql } from "sql-template-tag";
import { columns, type Db, run, transaction, type Tx } from "../database/index.ts";
import { runningProcesses } from "./processes.ts";
import type { Backfill } from "./steps.ts";

const BATCH_ROWS = 1_000;

/** Adds the back-fills that were not started yet. */
export async function addBackfills(db: Db, backfills: readonly Backfill[]): Promise<void> {
  for (const { name, table } of backfills) {
    await run(db)`
      insert into backfills (name, rows_total, started_at)
      values (${name}, ${approximateRows(table)}, clock_timestamp()) on conflict do nothing`;
  }
}

/** The approximate number of rows in a table, which PostgreSQL knows from its last analysis. */
const approximateRows = (table: string): Sql => sql`
  (select greatest(reltuples, 0)::bigint from pg_class where oid = ${table}::regclass)`;

interface Progress {
  readonly position: readonly string[] | null;
  readonly pass: number;
  readonly has_missed: boolean;
  readonly is_finished: boolean;
}

/**
 * - `more`: there are more rows to read.
 * - `busy`: another process is running a batch.
 * - `waiting`: another pass is necessary after all processes of earlier releases have ended.
 */
export type BatchResult = "more" | "busy" | "waiting" | "finished";

/** Runs one batch. */
export const runBatch = (db: Db, backfill: Backfill): Promise<BatchResult> =>
  transaction(db, async (tx) => {
    const { name, since } = backfill;
    const [progress] = await run<Progress[]>(tx)`
      select position, pass, has_missed, finished_at is not null as is_finished
        from backfills where name = ${name} for update skip locked`;
    if (progress === undefined) return "busy";
    if (progress.is_finished) return "finished";
    // Earlier releases may write rows without the new values.
    const hasOlder = async (): Promise<boolean> =>
      (await runningProcesses(tx)).some(({ schema_version }) => schema_version < since);
    const { position, pass } = progress;
    const isStart = position === null;
    const startsWithOlder = isStart && (await hasOlder());
    if (startsWithOlder && pass > 1) return "waiting";
    const batch = await fill(tx, backfill, position);
    const hasMissed = progress.has_missed || startsWithOlder || batch.read > batch.locked;
    const isEnd = batch.read < BATCH_ROWS;
    const isRepeated = isEnd && (hasMissed || (await hasOlder()));
    const isFinished = isEnd && !isRepeated;
    await run(tx)`
      update backfills
         set position = ${isEnd ? null : batch.last}::text[], pass = pass + ${isRepeated ? 1 : 0},
             has_missed = ${hasMissed && !isEnd},
             rows_done = case when ${isRepeated} then 0 else rows_done + ${batch.read} end,
             rows_total = case when ${isEnd} then rows_done + ${batch.read} else rows_total end,
             finished_at = case when ${isFinished} then clock_timestamp() end
       where name = ${name}`;
    return isFinished ? "finished" : "more";
  });

interface Batch {
  readonly read: number;
  /** The rows that were not locked by others. */
  readonly locked: number;
  readonly last: readonly string[] | null;
}

/** Fills the rows after `position`. */
async function fill(
  tx: Tx,
  { table, statement }: Backfill,
  position: readonly string[] | null,
): Promise<Batch> {
  const keys = await primaryKey(tx, table);
  const names = keys.map(({ name }) => name);
  const after =
    position === null
      ? sql``
      : sql`where (${columns(names)}) > (${join(
          keys.map(({ type }, at) => sql`${position[at]}::text::${raw(type)}`),
        )})`;
  const [batch] = await run<[Batch]>(
    tx,
    sql`
      with page as materialized (
        select ${columns(names)} from ${columns([table])} ${after}
         order by ${columns(names)} limit ${BATCH_ROWS}
      ), batch as materialized (
        select ${columns(names)} from ${columns([table])} join page using (${columns(names)})
           for no key update of ${columns([table])} skip locked
      ), filled as (${raw(statement)} returning 1)
      select (select count(*)::int from page) as read, (select count(*)::int from batch) as locked,
             (select array[${join(names.map((name) => sql`${columns([name])}::text`))}] from page
               order by ${join(names.map((name) => sql`${columns([name])} desc`))} limit 1) as last`,
  );
  return batch;
}

/** Returns the columns of a table's primary key, with their types. */
const primaryKey = (tx: Tx, table: string) =>
  run<{ name: string; type: string }[]>(tx)`
    select a.attname::text as name, format_type(a.atttypid, a.atttypmod) as type
      from pg_index i, unnest(i.indkey) with ordinality k (attnum, at), pg_attribute a
     where i.indrelid = ${table}::regclass and i.indisprimary
       and a.attrelid = i.indrelid and a.attnum = k.attnum
     order by k.at`;
