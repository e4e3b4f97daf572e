/** A slow or dead endpoint of one tenant delays no other tenant's deliveries. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { deliveryWorld } from "./delivery-kit.ts";
import { startReceiver } from "./receiver.ts";

test("with 300 deliveries of one tenant stuck, another's is sent at once", async (t) => {
  const [slow, quick] = [await startReceiver(t), await startReceiver(t)];
  let open = 0;
  let most = 0;
  slow.respond = async (response) => {
    most = Math.max(most, ++open);
    await sleep(1500);
    open -= 1;
    response.writeHead(500).end();
  };
  const world = await deliveryWorld(t, {
    request: ({ subject_id }) => ({
      url: subject_id.startsWith("slow") ? slow.url : quick.url,
      timeout_s: 5,
    }),
  });
  const [one, other] = [await world.tenant(), await world.tenant()];
  await Promise.all(Array.from({ length: 300 }, (_, at) => world.promise(one, `slow${at}`, 5)));
  // Two workers, with hands enough between them to be filled by one tenant.
  world.work();
  world.work();
  while (slow.received.length === 0) await sleep(10);
  await sleep(200);
  const waits: number[] = [];
  for (let at = 0; at < 20; at += 1) {
    const promised_ms = performance.timeOrigin + performance.now();
    const id = await world.promise(other, `quick${at}`);
    await world.until(other, id, ({ status }) => status === "delivered");
    waits.push((quick.received.at(-1)?.at_ms ?? Infinity) - promised_ms);
  }
  const median_ms = waits.toSorted((a, b) => a - b)[10] ?? Infinity;
  assert.ok(median_ms < 150, `median ${median_ms} ms of ${waits.map(Math.round).join(", ")}`);
  assert.ok(Math.max(...waits) < 1500, waits.map(Math.round).join(", "));
  // Two processes that ask in the same moment may each fill the last place.
  assert.ok(most >= 4 && most <= 8, `${most} at a time`);
});

test("one tenant alone has no more than its share of a worker's hands", async (t) => {
  const receiver = await startReceiver(t);
  let open = 0;
  let most = 0;
  receiver.respond = async (response) => {
    most = Math.max(most, ++open);
    await sleep(50);
    open -= 1;
    response.writeHead(204).end();
  };
  const world = await deliveryWorld(t, { request: () => ({ url: receiver.url }) });
  const scope = await world.tenant();
  const ids = await Promise.all(
    Array.from({ length: 60 }, (_, at) => world.promise(scope, `s${at}`)),
  );
  world.work({ hands: 16, perTenant: 4 });
  for (const id of ids) await world.until(scope, id, ({ status }) => status === "delivered");
  assert.equal(most, 4);
  assert.equal(receiver.received.length, 60);
});
