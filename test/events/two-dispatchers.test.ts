/** Two workers queue one webhook's events concurrently: each event is queued once. */

import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import pino from "pino";
import { createQueue } from "../../src/delivery/index.ts";
import { startDispatch } from "../../src/events/index.ts";
import { pushedLeadViews } from "../../src/exchange/index.ts";
import { systemClock } from "../../src/platform/clock/clock.ts";
import type { Database } from "../../src/platform/database/index.ts";
import { idSource } from "../../src/platform/ids/ids.ts";
import { ok } from "../api/samples.ts";
import { eventually } from "../kit/eventually.ts";
import { startApi, type Api } from "../kit/api.ts";
import { atEnd, openPools } from "../kit/started.ts";
import { makeWebhook } from "./event-kit.ts";

type Begin = (mode: string, work: (tx: unknown) => unknown, guard?: unknown) => Promise<unknown>;

/**
 * Returns a pool whose transactions pause before they begin, and before they commit. Only successful transactions count
 * as ended.
 */
function stoppedPool(db: Database) {
  const begin = Promise.withResolvers<void>();
  const commit = Promise.withResolvers<void>();
  const counts = { arrived: 0, worked: 0, ended: 0 };
  const sql = new Proxy(db.sql, {
    get: (pool, name) => {
      if (name !== "begin") return Reflect.get(pool, name) as unknown;
      return async (mode: string, work: (tx: unknown) => unknown, guard?: unknown) => {
        counts.arrived += 1;
        await begin.promise;
        const stopped = async (tx: unknown): Promise<unknown> => {
          const result = await work(tx);
          counts.worked += 1;
          await commit.promise;
          return result;
        };
        const result = await (pool.begin.bind(pool) as Begin)(mode, stopped, guard);
        counts.ended += 1;
        return result;
      };
    },
  });
  return { db: { ...db, sql }, counts, letBegin: begin.resolve, letCommit: commit.resolve };
}

/** Returns a dispatcher that has read the webhook and its changes, and is about to lock the webhook. */
async function startStopped(t: TestContext, api: Api) {
  const pools = openPools(t, { url: api.databaseUrl, connections: 4, listTimeout_ms: 5000 });
  const { db, counts, ...gates } = stoppedPool(pools);
  const clock = systemClock();
  const queue = createQueue({ sql: pools.sql, supervise: false, note: () => undefined });
  atEnd(t, () => queue.close());
  const [row] = await api.sql`select max(seq) as seq from changes`;
  const seq = Number(row?.["seq"]);
  const loop = startDispatch({
    db,
    clock,
    makeId: idSource(clock),
    queue,
    pushed: pushedLeadViews(clock),
    horizon: { settled: async () => ({ seq, at_s: 0, drawn: seq }) },
    log: pino({ level: "silent" }),
  });
  atEnd(t, async () => {
    gates.letBegin();
    gates.letCommit();
    await loop.stop();
  });
  await eventually(() => counts.arrived === 1);
  return { counts, ...gates };
}

async function startBoth(t: TestContext) {
  const api = await startApi(t);
  const client = await api.tenant();
  await makeWebhook(client, { url: "https://hooks.example.com/", events: ["lead.created"] });
  ok(await client.post("/crm/leads", { name: "Once" }));
  const first = await startStopped(t, api);
  const second = await startStopped(t, api);
  const queued = async () => (await api.sql`select from deliveries`).count;
  return { api, first, second, queued };
}

test("a worker that read before another one committed queues nothing again", async (t) => {
  const { api, first, second, queued } = await startBoth(t);
  first.letBegin();
  first.letCommit();
  await eventually(() => first.counts.ended === 1);
  assert.equal(await queued(), 1);
  // Mark the delivery as delivered. While the delivery is pending, its event cannot be queued again anyway.
  await api.sql`update deliveries set status = 'delivered', next_at = null`;
  second.letBegin();
  second.letCommit();
  await eventually(() => second.counts.ended >= 1);
  assert.equal(await queued(), 1);
});

test("a worker leaves a webhook alone while another one queues its events", async (t) => {
  const { first, second, queued } = await startBoth(t);
  first.letBegin();
  await eventually(() => first.counts.worked === 1);
  second.letBegin();
  second.letCommit();
  // The second worker does not wait for the lock, and queues nothing.
  await eventually(() => second.counts.ended >= 1);
  assert.equal(first.counts.ended, 0);
  first.letCommit();
  await eventually(() => first.counts.ended === 1);
  assert.equal(await queued(), 1);
});
