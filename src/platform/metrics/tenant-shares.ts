/** Finds the tenants that use the most slots. The slots of all other tenants are added up. */

import { NO_TENANT, type Figures } from "../admission/index.ts";

/** A tenant's share of the slots in all pools. */
export interface TenantShare {
  /** The tenant's id, `NONE` for work without a tenant, or `OTHER`. */
  readonly tenant: string;
  readonly average: number;
  readonly in_use: number;
  readonly waiting: number;
}

const NONE = "none";
const OTHER = "other";

const LARGEST_MAX = 10;
const WINDOW_ms = 60_000;
/** The minimum time between stored readings. */
const READINGS_APART_ms = 5_000;

/** The total slot time of each tenant at a point in time. */
interface Reading {
  readonly at_ms: number;
  readonly used_ms: ReadonlyMap<string, number>;
}

/**
 * Returns a function that takes the figures of all pools and returns the shares of slot time in the last minute: one
 * for each of the ten tenants with the most slot time, one for work without a tenant, and one for all other tenants
 * together. The window is shorter if the process started less than a minute ago (at `start_ms`), and longer if the
 * function is called less than once a minute.
 */
export function createTenantShares(
  start_ms: number,
): (pools: readonly Figures[], now_ms: number) => readonly TenantShare[] {
  let readings: readonly Reading[] = [{ at_ms: start_ms, used_ms: new Map() }];
  return (pools, now_ms) => {
    const firstAt = readings.findLastIndex(({ at_ms }) => now_ms - at_ms >= WINDOW_ms);
    readings = readings.slice(Math.max(0, firstAt));
    const first = readings[0] as Reading;
    const last = readings.at(-1) as Reading;
    const totals = addUp(pools);
    if (now_ms - last.at_ms >= READINGS_APART_ms) {
      const used_ms = new Map([...totals].map(([tenant, total]) => [tenant, total.used_ms]));
      readings = [...readings, { at_ms: now_ms, used_ms }];
    }
    const window_ms = Math.max(1, now_ms - first.at_ms);
    const shares = [...totals].map(([tenant, { used_ms, in_use, waiting }]): TenantShare => {
      const earlier_ms = first.used_ms.get(tenant) ?? 0;
      // If the tenant's entry was evicted between the two readings, its slot time restarted at 0.
      const recent_ms = used_ms >= earlier_ms ? used_ms - earlier_ms : used_ms;
      return { tenant, average: recent_ms / window_ms, in_use, waiting };
    });
    return largestOf(shares);
  };
}

function addUp(pools: readonly Figures[]) {
  const totals = new Map<string, { used_ms: number; in_use: number; waiting: number }>();
  for (const { tenant, used_ms, in_use, waiting } of pools.flatMap(({ tenants }) => tenants)) {
    const total = totals.get(tenant) ?? { used_ms: 0, in_use: 0, waiting: 0 };
    totals.set(tenant, total);
    total.used_ms += used_ms;
    total.in_use += in_use;
    total.waiting += waiting;
  }
  return totals;
}

function largestOf(shares: readonly TenantShare[]): readonly TenantShare[] {
  const largest = shares
    .filter(({ tenant }) => tenant !== NO_TENANT)
    .toSorted((a, b) => b.average - a.average || b.in_use + b.waiting - a.in_use - a.waiting);
  const none = shares.filter(({ tenant }) => tenant === NO_TENANT);
  const others = largest.slice(LARGEST_MAX);
  return [...largest.slice(0, LARGEST_MAX), sumOf(NONE, none), sumOf(OTHER, others)];
}

function sumOf(tenant: string, shares: readonly TenantShare[]): TenantShare {
  const sum = (member: "average" | "in_use" | "waiting") =>
    shares.reduce((total, share) => total + share[member], 0);
  return { tenant, average: sum("average"), in_use: sum("in_use"), waiting: sum("waiting") };
}
