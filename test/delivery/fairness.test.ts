/** One tenant's slow or dead endpoint does not delay other tenants' deliveries. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { enqueueAll } from "../../src/delivery/enqueue.ts";
import { TIMEOUT_MAX_s } from "../../src/delivery/queue.ts";
import { requeueForgotten } from "../../src/delivery/upkeep.ts";
import { deliveryWorld, TOPIC } from "./delivery-kit.ts";
import { startReceiver } from "./receiver.ts";
import { eventually } from "../kit/eventually.ts";
import { atEnd } from "../kit/started.ts";
import { run } from "../../src/platform/database/index.ts";

test("with 300 stuck deliveries of one tenant, another tenant's deliveries are sent at once", async (t) => {
  const slow = await startReceiver(t);
  const quick = await startReceiver(t);
  const stuck = Promise.withResolvers<void>();
  let open = 0;
  let most = 0;
  slow.respond = async (response) => {
    most = Math.max(most, ++open);
    // On a slow machine, requests reach their time limit before the test ends.
    response.once("close", () => (open -= 1));
    await stuck.promise;
    response.writeHead(500).end();
  };
  const world = await deliveryWorld(t, {
    request: ({ subject_id }) => ({
      url: subject_id.startsWith("slow") ? slow.url : quick.url,
      timeout_s: TIMEOUT_MAX_s,
    }),
  });
  const one = await world.tenant();
  const other = await world.tenant();
  const subjects = Array.from({ length: 300 }, (_, at) => ({ subject_id: `slow${at}` }));
  const backlog = { topic: TOPIC, subjects, timeout_s: TIMEOUT_MAX_s, lane: undefined };
  await world.within(one, (inTx) => enqueueAll(inTx, world.deps, backlog));
  // A single tenant's deliveries could occupy both of these workers completely.
  world.work();
  world.work();
  // Before the workers stop, because they wait for their requests.
  atEnd(t, stuck.resolve);
  await eventually(() => slow.received.length > 0);
  for (let at = 0; at < 20; at += 1) {
    const id = await world.promise(other, `quick${at}`);
    await world.deliveryWhen(other, id, ({ status }) => status === "delivered");
  }
  // All the quick deliveries were sent while the slow deliveries were stuck. If two workers check the tenant's limit at
  // the same time, both may take its last slot, so the limit can be exceeded.
  assert.ok(most >= 4 && most <= 8, `${most} at a time`);
});

test("a tenant alone uses no more than its share of a worker's capacity", async (t) => {
  const receiver = await startReceiver(t);
  let open = 0;
  let most = 0;
  const isFull = Promise.withResolvers<void>();
  receiver.respond = async (response) => {
    most = Math.max(most, ++open);
    // The first requests wait for each other, however slowly the worker sends them, and then for one too many.
    if (open === 4) isFull.resolve();
    await isFull.promise;
    await sleep(50);
    open -= 1;
    response.writeHead(204).end();
  };
  const world = await deliveryWorld(t, { request: () => ({ url: receiver.url }) });
  const scope = await world.tenant();
  const ids = await Promise.all(
    Array.from({ length: 60 }, (_, at) => world.promise(scope, `s${at}`)),
  );
  world.work({ concurrency: 16, perTenant: 4 });
  for (const id of ids) await world.deliveryWhen(scope, id, ({ status }) => status === "delivered");
  assert.equal(most, 4);
  assert.equal(receiver.received.length, 60);
});

test("a delivery without a job gets a new one in its lane, although another tenant's backlog is older", async (t) => {
  const world = await deliveryWorld(t, { request: () => "skip" });
  const { sql, deps } = world;
  const behind = await world.tenant();
  const other = await world.tenant();
  const subjects = Array.from({ length: 1000 }, (_, at) => ({ subject_id: `late${at}` }));
  const backlog = { topic: TOPIC, subjects, timeout_s: 20, lane: undefined };
  await world.within(behind, (inTx) => enqueueAll(inTx, deps, backlog));
  await run(sql)`update deliveries set next_at = now() - interval '1 hour'`;
  const id = await world.promise(other, "forgotten");
  await run(sql)`update deliveries set next_at = now() - interval '10 minutes' where id = ${id}`;
  await run(sql)`delete from pgboss.job where data->>'delivery_id' = ${id}`;
  const lanes = { [TOPIC]: async (_: unknown, subject_id: string) => `lane of ${subject_id}` };
  await requeueForgotten(sql, { ...deps, lanes });
  const jobs = await run(sql)`
    select group_id, data->>'lane' as lane from pgboss.job where data->>'delivery_id' = ${id}`;
  const lane = "lane of forgotten";
  assert.deepEqual([...jobs], [{ group_id: `${other.tenantId} ${lane}`, lane }]);
  assert.equal((await run(sql)`select from pgboss.job`).count, 1001);
});
