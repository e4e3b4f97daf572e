/**
 * Rows are garbage collected in the young generation. No part of a statement is allocated in the old generation, where
 * it would keep its rows alive until the next major collection.
 */

import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { GCProfiler, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import sql from "sql-template-tag";
import { onBehalfOf, RequestParty } from "../../src/platform/admission/index.ts";
import { type Db, runRaw, transaction } from "../../src/platform/database/index.ts";
import { testDatabase } from "../kit/database.ts";
import { casesOf } from "../kit/long.ts";
import { openPools } from "../kit/started.ts";

const STATEMENTS = 6000;
/** The number of statements between two collections. When V8 itself collects depends on the machine. */
const COLLECT_EVERY = 1000;
const PAGE = sql`select repeat('x', 1000)::text as body from generate_series(1, 100) as i`;

setFlagsFromString("--expose-gc");
const gc = runInNewContext("gc") as (options: { readonly type: "minor" }) => void;
const collectYoung = (): void => gc({ type: "minor" });

type Space = "new_space" | "old_space";

/** Returns the share of the bytes allocated during `work` that minor collections moved to the old generation. */
async function promotedShare(work: () => Promise<unknown>): Promise<number> {
  const profiler = new GCProfiler();
  profiler.start();
  await work();
  const scavenges = profiler.stop().statistics.filter(({ gcType }) => gcType === "Scavenge");
  assert.ok(scavenges.length >= 5, `${scavenges.length} collections`);
  let promoted = 0;
  let collected = 0;
  for (const { beforeGC, afterGC } of scavenges) {
    const grown = (name: Space): number => {
      const used = ({ heapSpaceStatistics: spaces }: typeof beforeGC): number =>
        spaces.find(({ spaceName }) => spaceName === name)?.spaceUsedSize ?? 0;
      return used(afterGC) - used(beforeGC);
    };
    promoted += grown("old_space");
    collected -= grown("new_space");
  }
  return promoted / collected;
}

async function pool(t: TestContext): Promise<Db> {
  const { url } = await testDatabase(t);
  const db = openPools(t, { url, connections: 2, listTimeout_ms: 10_000 });
  return db.sql;
}

/** More concurrent statements than there are connections. */
const AT_ONCE = 5;

const WAYS: Readonly<Record<string, (sql: Db) => Promise<unknown>>> = {
  "a transaction of a request": (sql) =>
    onBehalfOf(new RequestParty("192.0.2.1"), () => transaction(sql, (tx) => runRaw(tx, PAGE))),
  "a statement": (sql) => runRaw(sql, PAGE),
  "a statement of a request": (sql) =>
    onBehalfOf(new RequestParty("192.0.2.1"), () => runRaw(sql, PAGE)),
};

// A transaction of a request uses everything that a statement uses.
for (const [what, ask] of casesOf(Object.entries(WAYS), 1)) {
  test(`the rows of ${what} do not become old`, async (t) => {
    const sql = await pool(t);
    const askOften = async () => {
      let left = STATEMENTS;
      const keepAsking = async () => {
        for (; left > 0; left -= 1) {
          await ask(sql);
          if (left % COLLECT_EVERY === 0) collectYoung();
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, keepAsking));
    };
    // The first statements also leave compiled code, which becomes old.
    await askOften();
    const share = await promotedShare(askOften);
    assert.ok(share < 0.1, `${(share * 100).toFixed(1)} % of all that was collected`);
  });
}
