/** Removes data whose retention period has ended, in small batches. */

import sql, { type Sql } from "sql-template-tag";
import { isSuspended } from "../tenants/index.ts";
import { SERVICE, type Scope, type TenantId } from "../audit/index.ts";
import { ERASED } from "../events/index.ts";
import { erasePushed, PUSHED_LEAD } from "../exchange/pushed-leads/index.ts";
import { type Clock, epochSeconds } from "../platform/clock/index.ts";
import { firstIdAt, type MakeId } from "../platform/ids/index.ts";
import { type Db, run, transaction } from "../platform/database/index.ts";
import { RECORD_NAMES } from "../records/types/index.ts";
import { emptyHistory } from "./erase-traces.ts";
import { PRIVACY, type PrivacySettings } from "./privacy-settings.ts";

const AT_ONCE = 500;
const DAY_s = 86_400;
/** How often all tenants are checked. */
const EVERY_ms = 3_600_000;

const HISTORY_TYPES: readonly string[] = [...RECORD_NAMES, PUSHED_LEAD];

interface RetentionDeps {
  readonly clock: Clock;
  readonly makeId: MakeId;
}

interface Due {
  readonly tenantId: TenantId;
  readonly settings: Partial<PrivacySettings>;
}

/**
 * Checks each tenant that has retention settings once an hour, unless it is suspended. Each call of the returned
 * function processes one batch and returns whether there was anything to do.
 */
export function createRetention(db: Db, deps: RetentionDeps): () => Promise<boolean> {
  let due: Due[] = [];
  let checked_ms = -Infinity;
  return async () => {
    const now_ms = deps.clock.now_ms();
    if (due.length === 0) {
      if (now_ms - checked_ms < EVERY_ms) return false;
      checked_ms = now_ms;
      const rows = await run<{ tenant_id: TenantId; value: Partial<PrivacySettings> }[]>(db)`
        select tenant_id, value from tenant_settings where name = ${PRIVACY}`;
      due = rows.map(({ tenant_id: tenantId, value: settings }) => ({ tenantId, settings }));
    }
    const next = due.shift();
    if (next === undefined) return false;
    if (await isSuspended(db, next.tenantId)) return true;
    const scope = { db, tenantId: next.tenantId, actor: SERVICE };
    // If a batch fails, retry the tenant in an hour, so that its failures do not delay other tenants.
    if (await removeSome(scope, deps, next.settings)) due.unshift(next);
    return true;
  };
}

/** Removes a batch of data whose retention period has ended. Returns false if there was none. */
async function removeSome(
  scope: Scope<Db>,
  deps: RetentionDeps,
  settings: Partial<PrivacySettings>,
): Promise<boolean> {
  const now_s = epochSeconds(deps.clock);
  const before = (days: number): number => now_s - days * DAY_s;
  const { history_days, audit_days, deliveries_days, rejected_rows_days } = settings;
  const isHistory = sql`subject_type = any(${HISTORY_TYPES}::text[])`;
  const works: readonly (() => Promise<number>)[] = [
    ...given(audit_days, (days) => removeChanges(scope, sql`not ${isHistory}`, before(days))),
    ...given(deliveries_days, (days) => removeDeliveries(scope, before(days))),
    ...given(rejected_rows_days, (days) => removeRejects(scope, before(days))),
    ...given(settings.rejected_pushes_days, (days) =>
      erasePushes(scope, deps, { status: "rejected", before_s: before(days) }),
    ),
    ...given(settings.expired_pushes_days, (days) =>
      erasePushes(scope, deps, { status: "expired", before_s: before(days) }),
    ),
    ...given(history_days, (days) =>
      removeChanges(scope, sql`${isHistory} and not ${IS_DECISION}`, before(days)),
    ),
  ];
  for (const work of works) if ((await work()) > 0) return true;
  return false;
}

/**
 * Whether an entry shows when a pushed lead was rejected or expired. Until the lead is erased, this entry is needed to
 * determine when to erase it.
 */
const IS_DECISION = sql`
  (subject_type = ${PUSHED_LEAD} and action in ('rejected', 'expired')
   and exists (select from pushed_leads p
                where p.tenant_id = changes.tenant_id and p.id = changes.subject_id
                  and p.erased_ts is null))`;

const given = (
  days: number | null | undefined,
  work: (days: number) => Promise<number>,
): readonly (() => Promise<number>)[] =>
  days === null || days === undefined ? [] : [() => work(days)];

/**
 * The maximum time between the creation of an entry's id and the entry's commit. The transaction may wait for a lock in
 * between.
 */
const DRAWN_BEFORE_s = 3600;

/**
 * Removes entries older than a point in time. Entries are found by id, because ids increase over time. The oldest are
 * removed first, so that the feed has no gap.
 */
async function removeChanges(
  { db, tenantId }: Scope<Db>,
  which: Sql,
  before_s: number,
): Promise<number> {
  const { count } = await run(db)`
    delete from changes
     where ctid = any(array(
             select ctid from changes
              where tenant_id = ${tenantId} and id < ${firstIdAt(before_s - DRAWN_BEFORE_s)} and ${which}
              order by id limit ${AT_ONCE}))
       and tenant_id = ${tenantId}`;
  return count;
}

async function removeDeliveries({ db, tenantId }: Scope<Db>, before_s: number): Promise<number> {
  const { count } = await run(db)`
    delete from deliveries
     where ctid = any(array(
             select ctid from deliveries
              where tenant_id = ${tenantId} and id < ${firstIdAt(before_s)} and status <> 'pending'
                and updated_ts < ${before_s}::bigint
              order by id limit ${AT_ONCE}))
       and tenant_id = ${tenantId} and status <> 'pending'`;
  return count;
}

async function removeRejects({ db, tenantId }: Scope<Db>, before_s: number): Promise<number> {
  const { count } = await run(db)`
    delete from import_rejects
     where ctid = any(array(
             select r.ctid from import_rejects r
               join imports i on i.tenant_id = r.tenant_id and i.id = r.import_id
              where r.tenant_id = ${tenantId} and i.finished_ts < ${before_s}::bigint
              limit ${AT_ONCE}))`;
  return count;
}

/**
 * Erases pushed leads that were rejected or expired long ago. They still count in totals. They are locked in the same
 * order as in batches of decisions.
 */
const erasePushes = (
  scope: Scope<Db>,
  { makeId, clock }: RetentionDeps,
  { status, before_s }: { readonly status: "rejected" | "expired"; readonly before_s: number },
): Promise<number> =>
  transaction(scope.db, async (db) => {
    const within = { ...scope, db };
    const { tenantId } = scope;
    const rows = await run<{ id: string }[]>(db)`
      select p.id from pushed_leads p
       where p.tenant_id = ${tenantId} and p.status = ${status} and p.erased_ts is null
         and p.id < ${firstIdAt(before_s)}
         and not exists (select from changes c
                          where c.tenant_id = p.tenant_id and c.subject_id = p.id
                            and c.at >= to_timestamp(${before_s}) and c.action <> ${ERASED})
       order by p.id limit ${AT_ONCE} for update of p`;
    const ids = rows.map(({ id }) => id);
    if (ids.length === 0) return 0;
    await erasePushed(within, makeId, { ids, now_s: epochSeconds(clock) });
    await emptyHistory(within, ids);
    return ids.length;
  });
