/**
 * What stops those who guess (D8.1): wrong attempts are counted by what they are made on and from
 * where, so that whoever guesses is stopped and who is guessed at gets in from elsewhere.
 */

import { createHash } from "node:crypto";
import { isIP } from "node:net";
import { transaction, type Db, type Tx } from "../platform/db.ts";
import { AppError } from "../platform/errors.ts";
import { plainAddress } from "./address-list.ts";

/** After so many wrong attempts within so many seconds on this, from one address, there are no more. */
export interface AttemptLimit {
  /** What is tried: `partner 6b…`, `sign-in ada@example.com`. Kept as a hash. */
  readonly target: string;
  readonly most: number;
  readonly within_s: number;
}

/** No limit looks further back. */
const LONGEST_s = 3600;

const targetOf = ({ target }: AttemptLimit): Buffer => createHash("sha256").update(target).digest();

/**
 * An address as it is counted. Of IPv6 it is the network of 64 bits, which one customer has whole; what a
 * proxy tells may be no address ("unknown"): all of those count as one.
 */
function countedAddress(from: string): string {
  const address = plainAddress(from);
  const version = isIP(address);
  if (version === 4) return address;
  return version === 6 ? `${address}/64` : "::/64";
}

/**
 * Makes an attempt and counts it where it is wrong. Throws 429 with `Retry-After` where a limit is
 * reached, before the attempt or by the others that were made meanwhile: of many at once no more are
 * answered than counted. Nothing is locked while the attempt is made.
 */
export async function attempt<T>(
  sql: Db,
  limits: readonly AttemptLimit[],
  from: string,
  { make, isWrong }: { readonly make: () => Promise<T>; readonly isWrong: (made: T) => boolean },
): Promise<T> {
  const address = countedAddress(from);
  await refuseBeyond(sql, limits, address);
  const made = await make();
  await transaction(sql, async (tx) => {
    await lock(tx, limits, address);
    await refuseBeyond(tx, limits, address);
    if (isWrong(made)) await note(tx, limits, address);
  });
  return made;
}

/** Counts what is limited however it ends: a mail that is asked for. Throws 429 as `attempt` does. */
export const countAttempt = (
  sql: Db,
  limits: readonly AttemptLimit[],
  from: string,
): Promise<boolean> =>
  attempt(sql, limits, from, { make: async () => true, isWrong: (made) => made });

/** In one order, so that two who want the same never wait for each other crosswise. */
async function lock(tx: Tx, limits: readonly AttemptLimit[], address: string): Promise<void> {
  for (const place of limits.map(({ target }) => `attempts ${target} ${address}`).toSorted()) {
    await tx`select pg_advisory_xact_lock(hashtextextended(${place}, 0))`;
  }
}

async function refuseBeyond(
  db: Db | Tx,
  limits: readonly AttemptLimit[],
  address: string,
): Promise<void> {
  for (const limit of limits) {
    const [row] = await db`
      select count(*)::integer as wrong,
             ceil(extract(epoch from min(at) + ${limit.within_s} * interval '1 second'
                                     - clock_timestamp()))::integer as wait_s
        from (select at from wrong_attempts
               where target = ${targetOf(limit)} and address = network(${address}::inet)
                 and at > clock_timestamp() - ${limit.within_s} * interval '1 second'
               order by at desc limit ${limit.most}) last`;
    if ((row?.["wrong"] as number) < limit.most) continue;
    const headers = { "retry-after": String(Math.max(row?.["wait_s"] as number, 1)) };
    throw new AppError("too_many_attempts", { headers });
  }
}

async function note(tx: Tx, limits: readonly AttemptLimit[], address: string): Promise<void> {
  for (const limit of limits) {
    await tx`
      insert into wrong_attempts (target, address, at)
      values (${targetOf(limit)}, network(${address}::inet), clock_timestamp())`;
  }
}

/** Forgets wrong attempts that no longer count; how many. */
export async function forgetAttempts(sql: Db): Promise<number> {
  const gone = await sql`
    delete from wrong_attempts where at < clock_timestamp() - ${LONGEST_s} * interval '1 second'`;
  return gone.count;
}
