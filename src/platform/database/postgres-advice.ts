/** What is told at start of a PostgreSQL that is not ours, where a setting of it makes the service slow. */

import type { Logger } from "pino";
import type { Db } from "./tx.ts";

/** PostgreSQL's own value, which is meant for disks that turn. */
const SLOW_COST = 4;

/** Warns in the log where deep pages would be planned as scans of whole tables. */
export async function warnOfSlowSettings(sql: Db, log: Logger): Promise<void> {
  const [row] = await sql<{ cost: number; remedy: string }[]>`
    select current_setting('random_page_cost')::float8 as cost,
           format('alter database %I set random_page_cost = 1.1', current_database()) as remedy`;
  if (row === undefined || row.cost < SLOW_COST) return;
  log.warn(
    { random_page_cost: row.cost },
    `random_page_cost of this PostgreSQL is ${row.cost}: deep pages will be planned as scans of whole tables. ` +
      `On flash storage run \`${row.remedy}\` and start again. See docs/operating.md.`,
  );
}
