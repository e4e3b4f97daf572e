/** The combined request counts of all processes. One statement updates the counts of all credentials. */

import { type Db, run } from "../platform/database/index.ts";

/** Identifies the count of a credential in the window that starts at `window_s` (epoch seconds). */
export interface CountKey {
  readonly tenantId: string;
  readonly id: string;
  readonly window_s: number;
}

export interface Addition {
  readonly count: CountKey;
  /** The number of requests to add. Negative if requests were released. */
  readonly requests: number;
}

export interface Totals {
  /** The number of live processes, including this one. */
  readonly processes: number;
  /** The total count for each key (see `keyOf`) across all processes. */
  readonly totals: ReadonlyMap<string, number>;
}

/**
 * How long a process is considered alive after its last statement. This is longer than the length of a window plus the
 * 2 s during which a process may continue to count. Any requests that the process has not sent by then belong to a past
 * window.
 */
const PROCESS_LIVES_s = 70;
/** At this age, a window has ended in every process, even if the processes' clocks differ. */
const COUNT_LIVES_s = 180;

export const keyOf = ({ tenantId, id, window_s }: CountKey): string =>
  `${tenantId} ${id} ${window_s}`;

interface Counted {
  readonly processes: number;
  readonly totals: readonly (CountKey & { readonly requests: number })[];
}

/** Adds the counts of a process, marks the process as alive, and reads the counts of all processes. */
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

/** Removes a process that is exiting, so that the shares of the remaining processes increase. */
export async function leaveCounting(db: Db, processId: string): Promise<void> {
  await run(db)`delete from counting_processes where id = ${processId}`;
}

/** Deletes past windows and exited processes. Returns the number of deleted rows. */
export async function forgetRequestCounts(db: Db): Promise<number> {
  const counts = await run(db)`
    delete from request_counts
     where window_s < extract(epoch from clock_timestamp()) - ${COUNT_LIVES_s}`;
  const processes = await run(db)`
    delete from counting_processes
     where seen_at < clock_timestamp() - ${COUNT_LIVES_s} * interval '1 second'`;
  return counts.count + processes.count;
}
