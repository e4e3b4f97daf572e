/** One tenant's quota within a process, without a database. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { sizeText, TenantQuota } from "../../src/quotas/tenant-quota.ts";
import { limitsOf, nextDue, type QuotaReading } from "../../src/quotas/usage.ts";
import { SERVICE, type Scope, type TenantId } from "../../src/audit/index.ts";
import type { Db } from "../../src/platform/database/tx.ts";

const scope: Scope = { db: {} as Db, tenantId: "" as TenantId, actor: SERVICE };

/**
 * Returns a quota of ten records, of which `records` are used. `state` sets what the quota reads from the database. It
 * also counts these reads and lists the times for which the quota requested new measurements.
 */
function quotaWith(records: number | undefined, limits: QuotaReading["limits"] = TEN) {
  const state = { records, reads: 0, marked: [] as number[], fails: false };
  const quota = new TenantQuota({
    read: async () => {
      state.reads += 1;
      if (state.fails) throw new Error("No database");
      const { records: stored } = state;
      const measured = { bytes: 0, measured_ms: 1000, duration_ms: 20, age_ms: HOUR_ms };
      return { limits, usage: stored === undefined ? undefined : { records: stored, ...measured } };
    },
    mark: (due_ms) => state.marked.push(due_ms),
  });
  const add = (count: number) => quota.reserve(scope, { records: count, bytes: 100 });
  return { state, quota, add };
}

const HOUR_ms = 3_600_000;
const TEN = { records: 10, bytes: undefined };
const FULL = /quota is 10/;

test("writes in progress count, and a write that is rolled back does not", async () => {
  const { add } = quotaWith(7);
  const first = await add(2);
  const second = await add(1);
  await assert.rejects(add(1), FULL);
  first(false);
  const third = await add(2);
  await assert.rejects(add(1), FULL);
  second(true);
  third(true);
  await assert.rejects(add(1), FULL);
});

test("removals free space once they are committed, and are never rejected", async () => {
  const { add } = quotaWith(10);
  await assert.rejects(add(1), FULL);
  (await add(-3))(false);
  const removed = await add(-2);
  await assert.rejects(add(1), FULL);
  removed(true);
  (await add(2))(true);
  await assert.rejects(add(1), FULL);
});

test("a merge counts what it writes, but is never rejected", async () => {
  const { quota, add } = quotaWith(10);
  (await quota.unlimited.reserve(scope, { records: 3, bytes: 0 }))(true);
  (await add(-3))(true);
  await assert.rejects(add(1), FULL);
});

test("thousands of writes are counted exactly", async () => {
  const { add } = quotaWith(0, { records: 3333, bytes: undefined });
  for (let at = 0; at < 3333; at++) (await add(1))(true);
  await assert.rejects(add(1), /stores 3,333 records; its quota is 3,333/);
});

test("nothing is rejected before the first measurement", async () => {
  const { add, state } = quotaWith(undefined);
  for (let at = 0; at < 12; at++) (await add(1))(true);
  assert.deepEqual(state.marked, []);
});

test("a failed reading fails the write, and the next write reads again", async () => {
  const { add, state } = quotaWith(3);
  state.fails = true;
  await assert.rejects(add(1), /No database/);
  state.fails = false;
  await add(1);
  assert.equal(state.reads, 2);
});

test("a measurement is requested once after a write, and sooner after a rejection", async () => {
  const { add, state } = quotaWith(8);
  for (let at = 0; at < 2; at++) (await add(1))(true);
  assert.deepEqual(state.marked, [61_000]);
  for (let at = 0; at < 3; at++) await assert.rejects(add(1), FULL);
  assert.deepEqual(state.marked, [61_000, 11_000]);
});

test("measuring takes at most one percent of the time", () => {
  const usage = { records: 1, bytes: 1, measured_ms: 0, duration_ms: 2000 };
  assert.deepEqual([nextDue(usage, false), nextDue(usage, true)], [200_000, 200_000]);
});

test("a tenant's own limits replace those of the installation, and 0 means no limit", () => {
  const defaults = { maxRecords: 5, maxBytes: 0 };
  const own = (max_records: number | null, max_bytes: number | null) =>
    limitsOf({ max_records, max_bytes }, defaults);
  assert.deepEqual(own(null, null), { records: 5, bytes: undefined });
  assert.deepEqual(own(0, 7), { records: undefined, bytes: 7 });
  assert.deepEqual(own(9, null), { records: 9, bytes: undefined });
});

test("sizes are shown in the units of the settings", () => {
  const shown = [0, 1023, 1024, 1536 * 1024 ** 2, 3 * 1024 ** 5].map(sizeText);
  assert.deepEqual(shown, ["0 bytes", "1,023 bytes", "1 KB", "1.5 GB", "3,072 TB"]);
});
