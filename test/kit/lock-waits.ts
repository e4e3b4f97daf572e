/** Waits until statements of the service are blocked by a lock that a test holds. */

import { eventually } from "./eventually.ts";
import type { TestSql } from "./sql.ts";

/**
 * Waits until exactly `count` sessions of the test file's database are waiting for a lock. With `statement`, counts only
 * sessions whose statement contains this text.
 */
export const untilLockWaits = (
  sql: TestSql,
  count: number,
  { statement = "" }: { readonly statement?: string } = {},
) =>
  eventually(
    () => sql`
      select from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock'
         and position(${statement} in query) > 0`,
    (waiting) => waiting.count === count,
  );
