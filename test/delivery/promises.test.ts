/** A delivery exists if and only if the change that it reports was committed. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { PgBoss } from "pg-boss";
import { deliveriesOf, enqueue, firstOutcome } from "../../src/delivery/index.ts";
import { AppError } from "../../src/platform/errors/errors.ts";
import { deliveryWorld, TOPIC } from "./delivery-kit.ts";
import { startReceiver, status } from "./receiver.ts";
import { WITHIN_ms } from "../kit/eventually.ts";
import { run } from "../../src/platform/database/index.ts";

test("a queued delivery commits or disappears with its transaction, and so does its job", async (t) => {
  const receiver = await startReceiver(t);
  const world = await deliveryWorld(t, { request: () => ({ url: receiver.url }) });
  const scope = await world.tenant();
  const rolledBack = world.within(scope, async (inTx) => {
    await enqueue(inTx, world.deps, { topic: TOPIC, subject_id: "gone", timeout_s: 2 });
    throw new Error("the change failed");
  });
  await assert.rejects(rolledBack, /the change failed/);
  const kept = await world.promise(scope, "kept");
  const stored = await run(world.sql)`select id from deliveries`;
  const jobs = await run(world.sql)`select data->>'delivery_id' as id from pgboss.job`;
  assert.deepEqual([...stored], [{ id: kept }]);
  assert.deepEqual([...jobs], [{ id: kept }]);
  world.work();
  await world.deliveryWhen(scope, kept, (delivery) => delivery.status === "delivered");
  assert.equal(receiver.received.length, 1);
  assert.equal((await run(world.sql)`select from pgboss.job`).count, 0);
});

test("nothing is sent before its transaction commits", async (t) => {
  const receiver = await startReceiver(t);
  const world = await deliveryWorld(t, { request: () => ({ url: receiver.url }) });
  const scope = await world.tenant();
  world.work();
  const id = await world.within(scope, async (inTx) => {
    const made = await enqueue(inTx, world.deps, { topic: TOPIC, subject_id: "s", timeout_s: 2 });
    await new Promise((resolve) => setTimeout(resolve, 1500));
    assert.equal(receiver.received.length, 0);
    return made;
  });
  await world.deliveryWhen(scope, id, (delivery) => delivery.status === "delivered");
});

test("of 20 concurrent deliveries about one subject one is queued; the others return its id", async (t) => {
  const world = await deliveryWorld(t, { request: () => "skip" });
  const scope = await world.tenant();
  const rival = await world.tenant();
  const results = await Promise.allSettled(
    Array.from({ length: 20 }, () => world.promise(scope, "s")),
  );
  const made = results.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  assert.equal(made.length, 1);
  for (const one of results) {
    if (one.status === "fulfilled") continue;
    assert.ok(one.reason instanceof AppError);
    assert.deepEqual([one.reason.status, one.reason.members], [409, { existing_id: made[0] }]);
  }
  // Another tenant's subject with the same name is a different subject.
  await world.promise(rival, "s");
  await world.promise(scope, "another");
});

test("the first deliveries of a whole pool do not wait for each other", async (t) => {
  const world = await deliveryWorld(t, { request: () => "skip" });
  const scope = await world.tenant();
  const ids = await Promise.all(
    Array.from({ length: 40 }, (_, at) => world.promise(scope, `s${at}`)),
  );
  assert.equal(new Set(ids).size, 40);
});

test("after it ended, a new delivery about the subject can be queued; the newest one is returned", async (t) => {
  const receiver = await startReceiver(t);
  receiver.respond = status(410);
  const world = await deliveryWorld(t, { request: () => ({ url: receiver.url }) });
  const scope = await world.tenant();
  world.work();
  const first = await world.promise(scope, "s");
  await world.deliveryWhen(scope, first, (delivery) => delivery.status === "gone");
  receiver.respond = status(200);
  const second = await world.promise(scope, "s");
  const outcome = await firstOutcome(scope, second, WITHIN_ms);
  assert.equal(outcome?.["status"], "delivered");
  const newest = await deliveriesOf(scope, TOPIC, ["s", "none"]);
  assert.deepEqual(
    [...newest].map(([subject, { id }]) => [subject, id]),
    [["s", second]],
  );
});

test("waiting for the first outcome ends in time, with or without an attempt", async (t) => {
  const world = await deliveryWorld(t, { request: () => "skip" });
  const scope = await world.tenant();
  const id = await world.promise(scope, "s");
  // No worker is running, so the call returns without an outcome.
  const untried = await firstOutcome(scope, id, 300);
  assert.deepEqual([untried?.["status"], untried?.["attempt_count"]], ["pending", 0]);
  world.work();
  const tried = await firstOutcome(scope, id, WITHIN_ms);
  assert.deepEqual([tried?.["status"], tried?.["attempt_count"]], ["failed", 1]);
  assert.equal(await firstOutcome(scope, "0".repeat(24), 100), undefined);
});

test("a delivery whose job was lost with the queue is still sent", async (t) => {
  const receiver = await startReceiver(t);
  const world = await deliveryWorld(t, { request: () => ({ url: receiver.url }) });
  const scope = await world.tenant();
  const id = await world.promise(scope, "s");
  await run(world.sql)`truncate pgboss.job`;
  await run(world.sql)`update deliveries set next_at = now() - interval '5 minutes'`;
  world.work();
  await world.deliveryWhen(scope, id, (delivery) => delivery.status === "delivered");
  assert.equal(receiver.received.length, 1);
});

test("the tables of the queue are the ones that this version of pg-boss needs", async (t) => {
  const world = await deliveryWorld(t, { request: () => "skip" });
  const boss = new PgBoss({
    connectionString: world.url,
    max: 1,
    supervise: false,
    migrate: false,
  });
  await boss.start();
  const drift = await boss.detectSchemaDrift();
  // Stop the queue before its database is dropped. Otherwise, the queue's pg pool would crash when the connection is
  // cut.
  await boss.stop({ graceful: false });
  const { ok, missingTables, missing, mismatched, columnDrift, constraintDrift } = drift;
  const found = { ok, missingTables, missing, mismatched, columnDrift, constraintDrift };
  assert.deepEqual(found, {
    ok: true,
    missingTables: [],
    missing: [],
    mismatched: [],
    columnDrift: [],
    constraintDrift: [],
  });
});

test("the queue works on tables that a later release has extended", async (t) => {
  const receiver = await startReceiver(t);
  const world = await deliveryWorld(t, { request: () => ({ url: receiver.url }) });
  await run(world.sql)`update pgboss.version set version = version + 1`;
  await run(world.sql)`alter table pgboss.job add column later text`;
  const scope = await world.tenant();
  const id = await world.promise(scope, "later");
  world.work();
  await world.deliveryWhen(scope, id, (delivery) => delivery.status === "delivered");
});
