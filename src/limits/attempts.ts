/**
 * Limits attempts to guess passwords and codes. Failed attempts are counted by target and network, so an attacker is
 * stopped while the account's owner can still sign in from elsewhere. Successful attempts can also be limited, because
 * checking them may be just as expensive.
 */

import { createHash } from "node:crypto";
import type { Clock } from "../platform/clock/index.ts";
import { type Db, run, transaction, type Tx } from "../platform/database/index.ts";
import { AppError } from "../platform/errors/index.ts";
import { networksOf, type Network } from "../platform/addresses/index.ts";

/** The maximum number of attempts on a target from one address within a period. */
export interface AttemptLimit {
  /** The target of the attempts, such as `partner 6b…` or `sign-in ada@example.com`. Only its hash is stored. */
  readonly target: string;
  readonly most: number;
  readonly within_s: number;
  /** Whether attempts from all addresses count together. */
  readonly isGlobal?: true;
  /** Whether successful attempts are counted instead of failed ones. */
  readonly isOfCorrect?: true;
}

export interface AttemptDeps {
  readonly sql: Db;
  readonly clock: Clock;
}

export interface Attempt<T> {
  readonly make: () => Promise<T>;
  readonly isWrong: (made: T) => boolean;
  /** Returns true if the target does not exist. Attempts on nonexistent targets share one row per address. */
  readonly isUnknown?: (made: T) => boolean;
}

/** The longest period among the limits by network, and the longest among the global limits. */
const LONGEST_s = 3600;
const LONGEST_GLOBAL_s = 86_400;

/** The network used for global limits. */
const EVERYWHERE: Network = { first: "::/0", last: "::/0", allowance: 1 };

const hashOfTarget = (target: string): string => createHash("sha256").update(target).digest("hex");

/** The limits to apply, and the networks of the caller's address. */
interface Counted {
  readonly limits: readonly AttemptLimit[];
  readonly networks: readonly Network[];
}

const networksFor = ({ isGlobal }: AttemptLimit, { networks }: Counted): readonly Network[] =>
  isGlobal === true ? [EVERYWHERE] : networks;

/** Returns the narrowest of the address's networks, which is stored with the attempt. */
const placeFor = (limit: AttemptLimit, counted: Counted): string =>
  (networksFor(limit, counted)[0] as Network).first;

/**
 * Makes an attempt and counts it toward the limits on failed or successful attempts. Throws 429 with `Retry-After` if a
 * limit was reached before the attempt, or is reached by concurrent attempts. Concurrent attempts therefore cannot
 * exceed a limit. No locks are held during the attempt.
 */
export async function attempt<T>(
  { sql, clock }: AttemptDeps,
  limits: readonly AttemptLimit[],
  from: string,
  { make, isWrong, isUnknown = () => false }: Attempt<T>,
): Promise<T> {
  const counted = { limits, networks: networksOf(from) };
  await refuseBeyond(sql, clock, counted);
  const made = await make();
  await transaction(sql, async (tx) => {
    await lock(tx, counted);
    await refuseBeyond(tx, clock, counted);
    const wasCorrect = !isWrong(made);
    const reached = limits.filter(({ isOfCorrect = false }) => isOfCorrect === wasCorrect);
    if (reached.length === 0) return;
    const noted = { ...counted, limits: reached };
    await (isUnknown(made) ? noteUnknown : note)(tx, clock, noted);
  });
  return made;
}

/**
 * Counts an action that is limited regardless of its outcome, such as sending an email. If a limit is reached, counts
 * nothing and throws 429 like `attempt`.
 */
export const countAttempt = (
  within: Db | Tx,
  clock: Clock,
  limits: readonly AttemptLimit[],
  from: string,
): Promise<void> =>
  transaction(within, async (tx) => {
    const counted = { limits, networks: networksOf(from) };
    await lock(tx, counted);
    await refuseBeyond(tx, clock, counted);
    await note(tx, clock, counted);
  });

/** Locks the targets. The order is always the same to prevent deadlocks. */
async function lock(tx: Tx, counted: Counted): Promise<void> {
  const places = counted.limits.map(
    (limit) => `attempts ${limit.target} ${networksFor(limit, counted).at(-1)?.first}`,
  );
  await run(tx)`
    select pg_advisory_xact_lock(hashtextextended(place, 0))
      from unnest(${places.toSorted()}::text[]) as place`;
}

const seconds = (clock: Clock): number => clock.now_ms() / 1000;

/** Throws 429 if a limit is reached. Checks all limits and networks in one statement. */
async function refuseBeyond(db: Db | Tx, clock: Clock, counted: Counted): Promise<void> {
  const checks = counted.limits.flatMap((limit) =>
    networksFor(limit, counted).map((network) => ({ limit, network })),
  );
  const [{ wait_s }] = await run<[{ wait_s: number | null }]>(db)`
    with checks as (
      select decode(target, 'hex') as target, most, within_s, first, last
        from unnest(${checks.map(({ limit }) => hashOfTarget(limit.target))}::text[],
                    ${checks.map(({ limit, network }) => limit.most * network.allowance)}::integer[],
                    ${checks.map(({ limit }) => limit.within_s)}::integer[],
                    ${checks.map(({ network }) => network.first)}::inet[],
                    ${checks.map(({ network }) => network.last)}::inet[]
                   ) as c (target, most, within_s, first, last)
    )
    select ceil(max(extract(epoch from oldest) + within_s) - ${seconds(clock)}::float8)::integer
             as wait_s
      from checks c cross join lateral (
        select count(*) as wrong, min(at) as oldest from (
          select at from (
            select at from wrong_attempts
             where target = c.target and address between c.first and c.last
            union all
            select e.at
              from attempts_of_address a cross join unnest(a.targets, a.ats) as e (target, at)
             where a.address between c.first and c.last and e.target = substr(c.target, 1, 8)
          ) every
           where at > to_timestamp(${seconds(clock)}::float8 - within_s)
           order by at desc limit c.most
        ) newest
      ) found
     where wrong >= most`;
  if (wait_s === null) return;
  throw new AppError("too_many_attempts", {
    headers: { "retry-after": String(Math.max(wait_s, 1)) },
  });
}

/** Returns the rows to insert for an attempt: one per target, with its network. */
function entriesOf(counted: Counted) {
  const placeOf = new Map(
    counted.limits.map((limit) => [hashOfTarget(limit.target), placeFor(limit, counted)]),
  );
  return { targets: [...placeOf.keys()], places: [...placeOf.values()] };
}

async function note(tx: Tx, clock: Clock, counted: Counted): Promise<void> {
  const { targets, places } = entriesOf(counted);
  await run(tx)`
    insert into wrong_attempts (target, address, at)
    select decode(target, 'hex'), address, to_timestamp(${seconds(clock)}::float8)
      from unnest(${targets}::text[], ${places}::inet[]) as e (target, address)`;
}

/**
 * Counts an attempt on an unknown target. All such attempts from an address are stored in one row, and old entries in
 * that row are dropped. The limits keep the number of entries small, and updating this row takes no longer than
 * inserting a row.
 */
async function noteUnknown(tx: Tx, clock: Clock, counted: Counted): Promise<void> {
  const { targets, places } = entriesOf(counted);
  await run(tx)`
    insert into attempts_of_address as a (address, targets, ats, last_at)
    select ${places[0]}::inet, array_agg(substr(decode(target, 'hex'), 1, 8)),
           array_agg(now), min(now)
      from unnest(${targets}::text[]) as target, to_timestamp(${seconds(clock)}::float8) as now
    on conflict (address) do update
       set (targets, ats) = (
             select array_agg(e.target), array_agg(e.at)
               from unnest(a.targets || excluded.targets, a.ats || excluded.ats) as e (target, at)
              where e.at > excluded.last_at - ${LONGEST_s} * interval '1 second'),
           last_at = excluded.last_at`;
}

/** Deletes attempts that no longer count. Returns the number of deleted rows. */
export async function forgetAttempts(db: Db): Promise<number> {
  const known = await run(db)`
    delete from wrong_attempts
     where at < clock_timestamp() - ${LONGEST_s} * interval '1 second'
       and (address <> ${EVERYWHERE.first}::inet
            or at < clock_timestamp() - ${LONGEST_GLOBAL_s} * interval '1 second')`;
  const unknown = await run(db)`
    delete from attempts_of_address
     where last_at < clock_timestamp() - ${LONGEST_s} * interval '1 second'`;
  return known.count + unknown.count;
}
