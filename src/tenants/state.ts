/** Suspends, resumes, deletes and restores tenants. */

import { SERVICE, type TenantId } from "../audit/index.ts";
import { epochSeconds } from "../platform/clock/index.ts";
import { type Db, run, transaction, type Tx } from "../platform/database/index.ts";
import { AppError } from "../platform/errors/index.ts";
import type { JsonObject } from "../platform/json/index.ts";
import { updateTenant } from "./tenants.ts";
import type { TenantDeps } from "./users.ts";

/** How long a deletion can be undone. */
export const GRACE_days = 7;
export const GRACE_s = GRACE_days * 86_400;

/** Creates the 403 error for a suspended tenant. `detail` replaces the default message. */
export const tenantSuspended = (detail?: string): AppError =>
  new AppError("tenant_suspended", {
    members: { tenant_suspended: true },
    ...(detail !== undefined && { detail }),
  });

/** Throws 403 if a tenant is suspended. */
export async function refuseSuspended(db: Db | Tx, tenantId: TenantId): Promise<void> {
  if (await isSuspended(db, tenantId)) throw tenantSuspended();
}

/** Whether a tenant is suspended or deleted. */
export async function isSuspended(db: Db | Tx, tenantId: TenantId): Promise<boolean> {
  const rows = await run(db)`select from tenants where id = ${tenantId} and is_suspended`;
  return rows.count > 0;
}

interface Stored extends JsonObject {
  readonly suspended_ts: number | null;
  readonly delete_after_ts: number | null;
}

interface Locked {
  readonly stored: Stored;
  readonly isFirst: boolean;
  readonly isImporting: boolean;
  readonly isBeingDeleted: boolean;
}

type Change = (locked: Locked, now_s: number) => Stored;

const unchangeable = (detail: string): AppError => new AppError("conflict", { detail });

/** Suspends a tenant. This process rejects the tenant's requests immediately; others do so within a second. */
export const suspendTenant = (db: Db, deps: TenantDeps, tenantId: TenantId) =>
  change(db, deps, tenantId, ({ stored }, now_s) => ({
    ...stored,
    suspended_ts: stored.suspended_ts ?? now_s,
  }));

/** Resumes a suspended tenant. Throws 409 if the tenant is deleted. */
export const resumeTenant = (db: Db, deps: TenantDeps, tenantId: TenantId) =>
  change(db, deps, tenantId, ({ stored }) => {
    if (stored.delete_after_ts !== null) {
      throw unchangeable("This tenant is deleted. Restore it first with leadport tenant restore.");
    }
    return { ...stored, suspended_ts: null };
  });

/**
 * Suspends a tenant and schedules its deletion. With `now`, there is no grace period, but the tenant must already be
 * suspended or deleted. Throws 409 if it is neither, and for the installation's first tenant.
 */
export const deleteTenant = (db: Db, deps: TenantDeps, tenantId: TenantId, now = false) =>
  change(db, deps, tenantId, ({ stored, isFirst }, now_s) => {
    if (isFirst) {
      throw unchangeable(
        "The first tenant of an installation cannot be deleted. Suspend it with leadport tenant suspend.",
      );
    }
    if (!now) return { ...stored, delete_after_ts: stored.delete_after_ts ?? now_s + GRACE_s };
    if (stored.suspended_ts === null && stored.delete_after_ts === null) {
      throw unchangeable(
        "Only a suspended or deleted tenant can be deleted immediately. Suspend it first with leadport tenant suspend.",
      );
    }
    return { ...stored, delete_after_ts: Math.min(stored.delete_after_ts ?? now_s, now_s) };
  });

/** Undoes a tenant's deletion. Throws 409 if the tenant is not deleted or its rows are already being removed. */
export const restoreTenant = (db: Db, deps: TenantDeps, tenantId: TenantId) =>
  change(db, deps, tenantId, ({ stored, isBeingDeleted }, now_s) => {
    if (stored.delete_after_ts === null) throw unchangeable("This tenant is not deleted.");
    if (isBeingDeleted || stored.delete_after_ts <= now_s) {
      throw unchangeable("The grace period has ended, and the tenant is being removed.");
    }
    return { ...stored, delete_after_ts: null };
  });

const change = (db: Db, deps: TenantDeps, tenantId: TenantId, next: Change): Promise<Stored> =>
  transaction(db, async (tx) => {
    const [row] = await run<(Stored & Omit<Locked, "stored">)[]>(tx)`
      select suspended_ts, delete_after_ts,
             id in (select tenant_id from first_tenant) as "isFirst",
             import_started_ts is not null and imported_ts is null as "isImporting",
             deletion_started_ts is not null as "isBeingDeleted"
        from tenants where id = ${tenantId} for update`;
    if (row === undefined) throw new AppError("not_found");
    const { suspended_ts, delete_after_ts, ...flags } = row;
    if (flags.isImporting) throw unchangeable("This tenant is being imported.");
    const stored = { suspended_ts, delete_after_ts };
    const after = next({ stored, ...flags }, epochSeconds(deps.clock));
    await updateTenant({ db: tx, tenantId, actor: SERVICE }, deps, stored, after);
    return after;
  });
