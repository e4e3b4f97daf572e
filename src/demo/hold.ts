/** Of all processes of an installation, one at a time fills or removes the demo tenant. */

import { type Db, run } from "../platform/database/index.ts";
import { AppError } from "../platform/errors/index.ts";

/** Any two constants. The lock lasts as long as the session that takes it, whatever ends that. */
const LOCK = [1_281_706_068, 29] as const;

/** Takes the lock for the session of a single connection. Throws a 409 if another session has it. */
export async function holdDemo(single: Db): Promise<void> {
  const [row] = await run(single)`
    select pg_try_advisory_lock(${LOCK[0]}::integer, ${LOCK[1]}::integer) as is_held`;
  if (row?.["is_held"] === true) return;
  throw new AppError("conflict", { detail: "The demo data is being loaded or removed; wait" });
}

/** Whether a session has the lock. */
export async function isDemoHeld(db: Db): Promise<boolean> {
  const [row] = await run(db)`
    select exists (
      select from pg_locks
       where locktype = 'advisory' and objsubid = 2 and granted
         and database = (select oid from pg_database where datname = current_database())
         and classid = ${LOCK[0]}::bigint::oid and objid = ${LOCK[1]}::bigint::oid) as is_held`;
  return row?.["is_held"] === true;
}
