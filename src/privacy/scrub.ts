/**
 * Removes traces of erased rows from the data files. PostgreSQL leaves old row versions in its files until the space is
 * reused, and its write-ahead log contains every change. Therefore, all tables with personal data are rewritten, and
 * PostgreSQL starts a new log file so that the old ones can be removed.
 */

import { setTimeout as sleep } from "node:timers/promises";
import { raw } from "sql-template-tag";
import { type Db, run } from "../platform/database/index.ts";
import { tablesWith } from "./registry.ts";
import { collectAgain, isSuperuser } from "./statistics.ts";

export interface Scrubbed {
  readonly tables: readonly string[];
  /** Whether PostgreSQL started a new write-ahead log file and removed the old ones. This requires a superuser. */
  readonly log: boolean;
  readonly bytes_before: number;
  readonly bytes_after: number;
}

const SCRUBBED = [...new Set([...tablesWith("yes"), ...tablesWith("derived")])].toSorted();

/** Rewrites each table under a lock that blocks readers. `db` must have a single connection without a time limit. */
export async function scrub(
  db: Db,
  onTable: (table: string, done: number, of: number) => void,
): Promise<Scrubbed> {
  const sizeOf = async (): Promise<number> => {
    const [row] = await run<{ bytes: number }[]>(db)`
      select sum(pg_total_relation_size(t::regclass))::float8 as bytes from unnest(${SCRUBBED}::text[]) t`;
    return row?.bytes ?? 0;
  };
  const bytes_before = await sizeOf();
  for (const [at, table] of SCRUBBED.entries()) {
    onTable(table, at, SCRUBBED.length);
    await run(db, raw(`vacuum full ${table}`), { prepare: false });
    await collectAgain(db, table);
  }
  const log = await isSuperuser(db);
  if (log) await removeOldLog(db);
  return { tables: SCRUBBED, log, bytes_before, bytes_after: await sizeOf() };
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
 * Removes old write-ahead log files. PostgreSQL would normally recycle them under a new name, with their contents, so
 * recycling is disabled during this time.
 */
async function removeOldLog(db: Db): Promise<void> {
  await run(db, raw("vacuum full pg_catalog.pg_statistic"), { prepare: false });
  await run(db, raw("alter system set wal_recycle = off"), { prepare: false });
  try {
    await run(db)`select pg_reload_conf()`;
    await untilRecyclingEnds(db);
    // PostgreSQL removes a log file at the second checkpoint after the file was filled.
    for (let times = 0; times < 3; times += 1) {
      await run(db)`select pg_switch_wal()`;
      await run(db, raw("checkpoint"), { prepare: false });
    }
  } finally {
    await run(db, raw("alter system reset wal_recycle"), { prepare: false });
    await run(db)`select pg_reload_conf()`;
  }
}
