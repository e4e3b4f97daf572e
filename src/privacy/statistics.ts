/** Refreshes planner statistics, because they contain frequent column values, such as names. */

import { raw } from "sql-template-tag";
import type { Scope } from "../audit/index.ts";
import { type Db, run, type Tx } from "../platform/database/index.ts";
import { matcherOf, type Terms } from "./person/index.ts";

export async function isSuperuser(db: Db | Tx): Promise<boolean> {
  const [row] = await run<{ usesuper: boolean }[]>(db)`
    select usesuper from pg_user where usename = current_user`;
  return row?.usesuper === true;
}

/**
 * Refreshes a table's statistics. ANALYZE does not update the statistics of an empty table, so these statistics are
 * deleted instead.
 */
export async function collectAgain(db: Db | Tx, table: string): Promise<void> {
  await run(db, raw(`analyze ${table}`), { prepare: false });
  const [row] = await run(db, raw(`select from ${table} limit 1`), { prepare: false });
  if (row !== undefined || !(await isSuperuser(db))) return;
  await run(db)`delete from pg_statistic where starelid = ${table}::regclass`;
}

/** Refreshes the planner statistics that mention the person. */
export async function refreshStatistics({ db }: Scope, known: Terms): Promise<void> {
  const values = ["most_common_vals", "histogram_bounds", "most_common_elems"];
  const mayMention = matcherOf(known).mayMention(
    `concat_ws(' ', ${values.map((name) => `${name}::text`).join(", ")})`,
  );
  if (mayMention === undefined) return;
  const rows = await run<{ table: string }[]>(db)`
    select distinct tablename::text as table from pg_stats
     where schemaname = current_schema() and ${mayMention}`;
  for (const { table } of rows) await collectAgain(db, table);
}
