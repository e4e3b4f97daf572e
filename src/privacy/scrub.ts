/**
 * Removes the remains of erased rows from the data files. PostgreSQL leaves old versions of rows in its files until the
 * space is used again, and its log holds every change. So all tables with personal data are rewritten, and the log is
 * switched.
 */

import { raw } from "sql-template-tag";
import { type Db, run } from "../platform/database/index.ts";
import { tablesWith } from "./registry.ts";
import { collectAgain, isSuperuser } from "./statistics.ts";

export interface Scrubbed {
  readonly tables: readonly string[];
  /** Whether the log of the server was switched and its old files removed. It needs a superuser. */
  readonly log: boolean;
  readonly bytes_before: number;
  readonly bytes_after: number;
}

const SCRUBBED = [...new Set([...tablesWith("yes"), ...tablesWith("derived")])].toSorted();

/** Rewrites each table under a lock that stops its readers. `db` must have one connection without a time limit. */
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

/** Old files of the log are used again under another name, with their contents, unless that is switched off. */
async function removeOldLog(db: Db): Promise<void> {
  await run(db, raw("vacuum full pg_catalog.pg_statistic"), { prepare: false });
  await run(db, raw("alter system set wal_recycle = off"), { prepare: false });
  try {
    await run(db)`select pg_reload_conf()`;
    // A file is removed by the second checkpoint after it was filled.
    for (let times = 0; times < 3; times += 1) {
      await run(db)`select pg_switch_wal()`;
      await run(db, raw("checkpoint"), { prepare: false });
    }
  } finally {
    await run(db, raw("alter system reset wal_recycle"), { prepare: false });
    await run(db)`select pg_reload_conf()`;
  }
}
