/** Prepares a restored database for use. */

import { type Db, run, transaction } from "../platform/database/index.ts";

/**
 * Invalidates sessions, links and partner tokens. Passwords and stored access tokens remain valid. Holds back all
 * webhook requests until `releaseDeliveries`, because pending requests may have been sent after the backup was taken.
 */
export async function secureRestored(db: Db, restored_to: Date): Promise<void> {
  await transaction(db, async (tx) => {
    await run(tx)`delete from sessions`;
    await run(tx)`delete from sign_in_links`;
    await run(tx)`update partners set generation = generation + 1`;
    await run(
      tx,
    )`insert into restores (restored_at, restored_to) values (clock_timestamp(), ${restored_to})`;
  });
}

/** If webhook requests have been held back since a restore, returns the point in time that was restored. */
export async function heldSince(db: Db): Promise<Date | undefined> {
  const [row] = await run<{ restored_to: Date }[]>(db)`
    select restored_to from restores where released_at is null order by id desc limit 1`;
  return row?.restored_to;
}

/** Resumes webhook requests. Returns whether any were held back. */
export async function releaseDeliveries(db: Db): Promise<boolean> {
  const { count } = await run(db)`
    update restores set released_at = clock_timestamp() where released_at is null`;
  return count > 0;
}
