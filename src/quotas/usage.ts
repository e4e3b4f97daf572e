/**
 * Storage usage and limits of tenants. If a quota applies, usage is measured in the background (docs/quotas.md), so
 * writes do not update any counters in the database.
 */

import type { TenantId } from "../audit/index.ts";
import { type Db, run, type Tx } from "../platform/database/index.ts";

/** The limits that apply to a tenant. Undefined means unlimited. */
export interface Limits {
  readonly records: number | undefined;
  readonly bytes: number | undefined;
}

/** A tenant's storage at a point in time. */
export interface Usage {
  readonly records: number;
  /** Null if only the number of records is limited. */
  readonly bytes: number | null;
  /** The time of the measurement in epoch milliseconds, from the database's clock. */
  readonly measured_ms: number;
  readonly duration_ms: number;
}

interface Measured extends Usage {
  readonly age_ms: number;
}

/** A tenant's current limits and its last measured usage. */
export interface QuotaReading {
  readonly limits: Limits;
  /** Undefined before the first measurement. */
  readonly usage: Measured | undefined;
}

/** A tenant's own limits. Null means the installation's limit; 0 means unlimited. */
export interface OwnLimits {
  readonly max_records: number | null;
  readonly max_bytes: number | null;
}

/** The limits for tenants without their own limits. 0 means unlimited. */
export interface DefaultLimits {
  readonly maxRecords: number;
  readonly maxBytes: number;
}

/**
 * A tenant is measured at most once a minute, or sooner after a rejected write. The pause between two measurements is
 * at least 100 times the duration of a measurement.
 */
const EVERY_ms = 60_000;
const SOONER_ms = 10_000;
const PAUSE_FACTOR = 100;

/** Returns the limits that apply to a tenant. */
export const limitsOf = (own: OwnLimits, defaults: DefaultLimits): Limits => ({
  records: (own.max_records ?? defaults.maxRecords) || undefined,
  bytes: (own.max_bytes ?? defaults.maxBytes) || undefined,
});

export const hasLimit = ({ records, bytes }: Limits): boolean =>
  records !== undefined || bytes !== undefined;

/** Returns the time of a tenant's next measurement (epoch ms). */
export const nextDue = ({ measured_ms, duration_ms }: Usage, isRefused: boolean): number =>
  measured_ms + Math.max(isRefused ? SOONER_ms : EVERY_ms, PAUSE_FACTOR * duration_ms);

/** Reads a tenant's limits and usage with a single lookup by key. */
export async function readQuota(
  db: Db | Tx,
  tenantId: TenantId,
  defaults: DefaultLimits,
): Promise<QuotaReading> {
  const [row] = await run<(OwnLimits & (Measured | { readonly records: null }))[]>(db)`
    select n.max_records, n.max_bytes, u.records, u.bytes, u.measured_ms, u.duration_ms,
           greatest(0, extract(epoch from clock_timestamp()) * 1000 - u.measured_ms)::float8 as age_ms
      from tenants n left join tenant_usage u on u.tenant_id = n.id
     where n.id = ${tenantId}`;
  const { max_records = null, max_bytes = null, ...usage } = row ?? { records: null };
  return {
    limits: limitsOf({ max_records, max_bytes }, defaults),
    usage: usage.records === null ? undefined : usage,
  };
}

/**
 * Schedules a measurement of the tenant's storage for a time (epoch ms), unless it is already scheduled for an earlier
 * time.
 */
export async function markDue(db: Db, tenantId: TenantId, due_ms: number): Promise<void> {
  await run(db)`
    update tenant_usage set due_ms = ${due_ms}::bigint
     where tenant_id = ${tenantId} and (due_ms is null or due_ms > ${due_ms}::bigint)`;
}
