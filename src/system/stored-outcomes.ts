/** Stores request outcomes for an hour, by tenant and minute. */

import type { TenantId } from "../audit/index.ts";
import { epochSeconds, type Clock } from "../platform/clock/index.ts";
import { type Db, run } from "../platform/database/index.ts";
import { withDates } from "../platform/schemas/index.ts";
import type { FailedOperation } from "./schemas.ts";

const HOUR_s = 3600;
const SHOWN_MAX = 500;

/** The requests in one minute that have the same credential, operation and status. */
export interface Outcome {
  readonly tenantId: string;
  /** The start of the minute in epoch seconds. */
  readonly minute_s: number;
  /**
   * The credential's kind and id: `token …`, `person …` or `partner …`. In rows for requests beyond the limit, it is
   * empty, as are `method` and `route`.
   */
  readonly credential: string;
  readonly method: string;
  /** The path pattern. */
  readonly route: string;
  readonly status: number;
  readonly requests: number;
  readonly slow: number;
  readonly total_ms: number;
  readonly slowest_ms: number;
  readonly last_ts: number;
}

/** Adds a process's counts to the stored counts with one statement. */
export async function addOutcomes(db: Db, outcomes: readonly Outcome[]): Promise<void> {
  const column = <K extends keyof Outcome>(name: K): Outcome[K][] =>
    outcomes.map((outcome) => outcome[name]);
  // The rows are sorted, so that processes that add the same rows cannot deadlock.
  await run(db)`
    insert into request_outcomes as o
      (tenant_id, minute_s, credential, method, route, status, requests, slow, total_ms, slowest_ms, last_ts)
    select * from unnest(${column("tenantId")}::uuid[], ${column("minute_s")}::bigint[],
                         ${column("credential")}::text[], ${column("method")}::text[],
                         ${column("route")}::text[], ${column("status")}::integer[],
                         ${column("requests")}::integer[], ${column("slow")}::integer[],
                         ${column("total_ms")}::float8[], ${column("slowest_ms")}::float8[],
                         ${column("last_ts")}::bigint[])
     order by 1, 2, 3, 4, 5, 6
        on conflict (tenant_id, minute_s, credential, method, route, status) do update
       set requests = o.requests + excluded.requests, slow = o.slow + excluded.slow,
           total_ms = o.total_ms + excluded.total_ms,
           slowest_ms = greatest(o.slowest_ms, excluded.slowest_ms),
           last_ts = greatest(o.last_ts, excluded.last_ts)`;
}

/** Deletes outcomes that are more than an hour old. Returns the number of deleted rows. */
export async function deleteOldOutcomes(db: Db, clock: Clock): Promise<number> {
  const { count } = await run(db)`
    delete from request_outcomes where minute_s < ${epochSeconds(clock) - HOUR_s}`;
  return count;
}

interface Row
  extends
    Omit<FailedOperation, "credential" | "last_date">,
    Omit<FailedOperation["credential"], "name"> {
  readonly failed_of_all: number;
  readonly slow_of_all: number;
}

/**
 * Returns a tenant's failed and slow requests in the last hour by credential and operation, most frequent first, and
 * the number of requests that are not listed.
 */
export async function readOutcomes(db: Db, tenantId: TenantId, clock: Clock) {
  const rows = await run<Row[]>(db)`
    with by_status as (
      select credential, method, route, status, sum(requests)::int as requests,
             sum(slow)::int as slow, sum(total_ms) as total_ms, max(slowest_ms) as slowest_ms,
             max(last_ts) as last_ts
        from request_outcomes
       where tenant_id = ${tenantId} and minute_s >= ${epochSeconds(clock) - HOUR_s}
       group by credential, method, route, status
    ), by_operation as (
      select credential, method, route, sum(requests) as requests,
             coalesce(sum(requests) filter (where status >= 400), 0) as failed,
             coalesce(json_object_agg(status, requests order by status)
               filter (where status >= 400), '{}'::json) as statuses,
             sum(slow) as slow, sum(total_ms) / sum(requests) as average_ms,
             max(slowest_ms) as slowest_ms, max(last_ts) as last_ts
        from by_status group by credential, method, route
    )
    select split_part(credential, ' ', 1) as kind, split_part(credential, ' ', 2) as id, method,
           route, failed::int, statuses, slow::int, average_ms, slowest_ms, last_ts,
           sum(failed) over ()::int as failed_of_all, sum(slow) over ()::int as slow_of_all
      from by_operation
     order by credential = '', requests desc, credential, method, route limit ${SHOWN_MAX}`;
  const shown = rows.filter(({ id }) => id !== "");
  const names = await readNames(db, tenantId, shown);
  const beyond = (all: number, member: "failed" | "slow") =>
    shown.reduce((remaining, row) => remaining - row[member], all);
  const { failed_of_all = 0, slow_of_all = 0 } = rows[0] ?? {};
  const requests = shown.map((row): FailedOperation => {
    const { kind, id, failed_of_all: _, slow_of_all: __, ...operation } = row;
    return withDates({
      credential: { kind, id, name: names.get(id) ?? null },
      ...operation,
      average_ms: Math.round(row.average_ms),
      slowest_ms: Math.round(row.slowest_ms),
    });
  });
  return {
    requests,
    other_requests: { failed: beyond(failed_of_all, "failed"), slow: beyond(slow_of_all, "slow") },
  };
}

/** Returns the names of credentials that still exist, by id. */
async function readNames(
  db: Db,
  tenantId: TenantId,
  rows: readonly Row[],
): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(rows.map(({ id }) => id))];
  const found = await run<{ id: string; name: string }[]>(db)`
    select id, name from access_tokens where tenant_id = ${tenantId} and id = any(${ids}::text[])
    union all select id, name from people where tenant_id = ${tenantId} and id = any(${ids}::text[])
    union all select id, name from partners where tenant_id = ${tenantId} and id = any(${ids}::text[])`;
  return new Map(found.map(({ id, name }) => [id, name]));
}
