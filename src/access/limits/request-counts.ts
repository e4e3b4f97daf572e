/** What the processes of an installation have counted together: one statement for all credentials. */

import { type Db, run } from "../../platform/database/index.ts";

/** Requests of a credential in a window, which began at `window_s` (epoch seconds). */
export interface CountKey {
  readonly tenantId: string;
  readonly id: string;
  readonly window_s: number;
}

export interface Addition {
  readonly count: CountKey;
  /** Fewer than none, where some were given back. */
  readonly requests: number;
}

export interface Totals {
  /** How many processes count, this one among them. */
  readonly processes: number;
  /** What all have counted, by `keyOf`. */
  readonly totals: ReadonlyMap<string, number>;
}

/**
 * For how long a process counts as one after it was last heard of: longer than a window and the two
 * seconds for which it may go on counting, so that what it holds is of a window that is over.
 */
const PROCESS_LIVES_s = 70;
/** A window is over for every process, whatever its clock. */
const COUNT_LIVES_s = 180;

export const keyOf = ({ tenantId, id, window_s }: CountKey): string =>
  `${tenantId} ${id} ${window_s}`;

interface Counted {
  readonly processes: number;
  readonly totals: readonly (CountKey & { readonly requests: number })[];
}

/** Adds what a process counted, says that it lives, and reads what all have counted. */
export async function addCounts(
  db: Db,
  processId: string,
  additions: readonly Addition[],
): Promise<Totals> {
  const [{ processes, totals }] = await run<[Counted]>(db)`
    with alive as (
      insert into counting_processes (id, seen_at) values (${processId}, clock_timestamp())
      on conflict (id) do update set seen_at = excluded.seen_at
    ), counted as (
      insert into request_counts as c (tenant_id, credential_id, window_s, requests)
      select * from unnest(${additions.map(({ count }) => count.tenantId)}::uuid[],
                           ${additions.map(({ count }) => count.id)}::text[],
                           ${additions.map(({ count }) => count.window_s)}::bigint[],
                           ${additions.map(({ requests }) => requests)}::integer[])
       order by 1, 2, 3
      on conflict (tenant_id, credential_id, window_s)
      do update set requests = c.requests + excluded.requests
      returning tenant_id as "tenantId", credential_id as id, window_s, requests
    )
    select (select count(*)::integer + 1 from counting_processes
             where id <> ${processId}
               and seen_at > clock_timestamp() - ${PROCESS_LIVES_s} * interval '1 second'
           ) as processes,
           (select coalesce(json_agg(counted), '[]') from counted) as totals`;
  return {
    processes,
    totals: new Map(totals.map((total) => [keyOf(total), total.requests])),
  };
}

/** A process that ends shares nothing any more. */
export async function leaveCounting(db: Db, processId: string): Promise<void> {
  await run(db)`delete from counting_processes where id = ${processId}`;
}

/** Forgets windows that are over and processes that are gone; how many. */
export async function forgetRequestCounts(db: Db): Promise<number> {
  const counts = await run(db)`
    delete from request_counts
     where window_s < extract(epoch from clock_timestamp()) - ${COUNT_LIVES_s}`;
  const processes = await run(db)`
    delete from counting_processes
     where seen_at < clock_timestamp() - ${COUNT_LIVES_s} * interval '1 second'`;
  return counts.count + processes.count;
}
