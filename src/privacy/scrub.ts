/**
 * Removes traces of erased rows from the data files. PostgreSQL leaves old row versions in its files until the space is
 * reused, and its write-ahead log contains every change. Therefore, all tables with personal data are rewritten once no
 * transaction can see the old row versions, and PostgreSQL starts new log files so that the old ones can be removed.
 */

import { setTimeout as sleep } from "node:timers/promises";
import { raw } from "sql-template-tag";
import { type Db, run } from "../platform/database/index.ts";
import { StartError } from "../platform/errors/index.ts";
import { collectAgain, isSuperuser } from "./statistics.ts";

/** Only a superuser can have log files removed. PostgreSQL keeps files that have not been archived or replicated yet. */
export type LogKept = "not_superuser" | "still_needed";

export interface Scrubbed {
  readonly tables: readonly string[];
  /** Whether PostgreSQL has removed the old write-ahead log files. */
  readonly log: boolean;
  /** The reason why PostgreSQL has not removed them, if it has not. */
  readonly log_kept: LogKept | null;
  readonly bytes_before: number;
  readonly bytes_after: number;
}

export interface ScrubOptions {
  /** The tables to rewrite: those with personal data or data derived from it. */
  readonly tables: readonly string[];
  readonly onTable?: (table: string, done: number, of: number) => void;
  /** Called once, if the scrub has to wait for transactions. */
  readonly onWait?: (transactions: string) => void;
  /** How long to wait for transactions that began before the scrub. */
  readonly patience_ms?: number;
}

const PATIENCE_ms = 5 * 60_000;
const LOOK_EVERY_ms = 100;

/**
 * Rewrites each table under a lock that blocks readers. `db` must have a single connection without a time limit. Throws
 * a StartError, before anything is changed, if a transaction that began earlier does not end in time.
 */
export async function scrub(
  db: Db,
  { tables, onTable, onWait, patience_ms = PATIENCE_ms }: ScrubOptions,
): Promise<Scrubbed> {
  const sizeOf = async (): Promise<number> => {
    const [row] = await run<{ bytes: number }[]>(db)`
      select sum(pg_total_relation_size(t::regclass))::float8 as bytes from unnest(${[...tables]}::text[]) t`;
    return row?.bytes ?? 0;
  };
  await untilInvisible(db, { onWait, patience_ms });
  const bytes_before = await sizeOf();
  for (const [at, table] of tables.entries()) {
    onTable?.(table, at, tables.length);
    await run(db, raw(`vacuum full ${table}`), { prepare: false });
    await collectAgain(db, table);
  }
  const log_kept = (await isSuperuser(db)) ? await removeOldLog(db) : "not_superuser";
  const bytes_after = await sizeOf();
  return { tables, log: log_kept === null, log_kept, bytes_before, bytes_after };
}

/**
 * Waits until no open transaction can see rows that were erased before now, because `VACUUM FULL` keeps such rows. A
 * transaction with an id holds back the snapshots of all databases; one without an id, only those of the same database.
 */
async function untilInvisible(
  db: Db,
  {
    onWait,
    patience_ms,
  }: { readonly onWait: ScrubOptions["onWait"]; readonly patience_ms: number },
): Promise<void> {
  const [now] = await run<[{ id: string }]>(db)`select pg_current_xact_id()::xid::text as id`;
  let hasWaited = false;
  for (const end_ms = performance.now() + patience_ms; ; await sleep(LOOK_EVERY_ms)) {
    const older = await run<{ shown: string }[]>(db)`
      select format('%s (process %s)', coalesce(nullif(application_name, ''), backend_type), pid) as shown
        from pg_stat_activity
       where pid <> pg_backend_pid() and backend_type <> 'autovacuum worker'
         and (age(backend_xid) > age(${now.id}::xid)
              or datname = current_database() and age(backend_xmin) > age(${now.id}::xid))
       order by pid`;
    if (older.length === 0) return;
    const shown = older.map((one) => one.shown).join(", ");
    if (performance.now() >= end_ms) {
      throw new StartError(
        `Transactions that began before the scrub are still open: ${shown}. PostgreSQL keeps erased rows while these ` +
          "transactions could read them. Nothing was changed. End the transactions, or try again later.",
      );
    }
    if (!hasWaited) onWait?.(shown);
    hasWaited = true;
  }
}

/** The server applies a setting some time after `pg_reload_conf`. Gives up waiting for that after a second. */
async function untilRecyclingEnds(db: Db): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    const [row] = await run(db)`select current_setting('wal_recycle') as wal_recycle`;
    if (row?.["wal_recycle"] === "off") return;
    await sleep(10);
  }
}

/**
 * Removes old write-ahead log files. PostgreSQL would normally recycle them: it renames them to future files, with their
 * contents. Recycling is disabled during this time, and the files that it has already renamed are written once.
 */
async function removeOldLog(db: Db): Promise<LogKept | null> {
  await run(db, raw("vacuum full pg_catalog.pg_statistic"), { prepare: false });
  await run(db, raw("alter system set wal_recycle = off"), { prepare: false });
  try {
    await run(db)`select pg_reload_conf()`;
    await untilRecyclingEnds(db);
    // The checkpointer reads its settings before a checkpoint, so it recycles no file after this one.
    await run(db, raw("checkpoint"), { prepare: false });
    const old = await logFiles(db);
    // PostgreSQL removes a log file at the second checkpoint after the file was filled.
    for (let times = 0; times < old.length + 3; times += 1) {
      await run(db)`select pg_switch_wal()`;
      await run(db, raw("checkpoint"), { prepare: false });
      const left = await logFiles(db);
      if (!left.some((name) => old.includes(name))) return null;
    }
    return "still_needed";
  } finally {
    await run(db, raw("alter system reset wal_recycle"), { prepare: false });
    await run(db)`select pg_reload_conf()`;
  }
}

async function logFiles(db: Db): Promise<readonly string[]> {
  const rows = await run<{ name: string }[]>(db)`select name from pg_ls_waldir()`;
  return rows.map(({ name }) => name);
}
