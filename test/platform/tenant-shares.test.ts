/** The tenants' shares in /metrics: the largest tenants, all others combined, and the average over the last minute. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { createTenantShares } from "../../src/platform/metrics/tenant-shares.ts";

interface Used {
  readonly used_s: number;
  readonly in_use?: number;
  readonly waiting?: number;
}

/** Returns the figures of a pool that these tenants use. */
const pool = (tenants: Readonly<Record<string, Used>>) => ({
  slots: 10,
  in_use: { interactive: 0, bulk: 0, background: 0 },
  waiting: { interactive: 0, bulk: 0, background: 0 },
  used_ms: { interactive: 0, bulk: 0, background: 0 },
  tenants: Object.entries(tenants).map(([tenant, { used_s, in_use = 0, waiting = 0 }]) => {
    return { tenant, used_ms: used_s * 1000, in_use, waiting };
  }),
});

const averages = (shares: ReturnType<ReturnType<typeof createTenantShares>>) =>
  Object.fromEntries(shares.map(({ tenant, average }) => [tenant, average]));

test("at most ten tenants are named, and the sums are those of all", () => {
  const tenants = Object.fromEntries(
    Array.from({ length: 25 }, (_, n) => [`t${n}`, { used_s: n, in_use: 1, waiting: n }]),
  );
  const read = createTenantShares(0);
  const shares = read(
    [pool({ "": { used_s: 7 }, ...tenants }), pool({ t3: { used_s: 90 } })],
    30_000,
  );
  assert.deepEqual(
    shares.map(({ tenant }) => tenant),
    ["t3", ...Array.from({ length: 9 }, (_, n) => `t${24 - n}`), "none", "other"],
  );
  const sum = (member: "average" | "in_use" | "waiting") =>
    shares.reduce((total, share) => total + share[member], 0);
  assert.ok(Math.abs(sum("average") - (300 + 90 + 7) / 30) < 1e-9);
  assert.deepEqual([sum("in_use"), sum("waiting")], [25, 300]);
});

test("the average is of the last minute, whatever was used before, and of the pause between readings if that is longer", () => {
  const read = createTenantShares(0);
  const at = (seconds: number, used_s: number) =>
    averages(read([pool({ a: { used_s } })], seconds * 1000))["a"];
  assert.equal(at(10, 20), 2);
  assert.equal(at(11, 22), 2);
  assert.equal(at(40, 20), 0.5);
  assert.equal(at(70, 80), 1);
  // In the 60 s since the measurement at 40 s, the tenant used the pool for 60 s.
  assert.equal(at(100, 80), 1);
  assert.equal(at(130, 80), 0);
  assert.equal(at(3730, 3680), 1);
});

test("a tenant that was forgotten and comes back is shown with its new time", () => {
  const read = createTenantShares(0);
  read([pool({ a: { used_s: 500 } })], 10_000);
  assert.equal(averages(read([pool({ a: { used_s: 30 } })], 70_000))["a"], 0.5);
});

test("nothing is divided by zero at the start", () => {
  assert.deepEqual(averages(createTenantShares(5)([pool({ a: { used_s: 0 } })], 5)), {
    a: 0,
    none: 0,
    other: 0,
  });
});
