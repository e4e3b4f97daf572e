/** The lock that allows only one process of an installation to fill or remove the demo tenant at a time. */

import { type Db, run } from "../platform/database/index.ts";
import { AppError } from "../platform/errors/index.ts";

/** Two arbitrary constants that identify the lock. The lock is held until the session ends. */
const LOCK = [1_281_706_068, 29] as const;

/** Takes the lock for the session of a single connection. Throws 409 if another session has it. */
export async function lockDemo(single: Db): Promise<void> {
  const [row] = await run(single)`
    select pg_try_advisory_lock(${LOCK[0]}::integer, ${LOCK[1]}::integer) as is_locked`;
  if (row?.["is_locked"] === true) return;
  throw new AppError("conflict", {
    detail: "The demo data is being created or removed; try again later",
  });
}

/** Whether any session has the lock. */
export async function isDemoLocked(db: Db): Promise<boolean> {
  const [row] = await run(db)`
    select exists (
      select from pg_locks
       where locktype = 'advisory' and objsubid = 2 and granted
         and database = (select oid from pg_database where datname = current_database())
         and classid = ${LOCK[0]}::bigint::oid and objid = ${LOCK[1]}::bigint::oid) as is_locked`;
  return row?.["is_locked"] === true;
}
