/** Several workers, and workers that die: nothing is lost, nothing is caused twice. */

import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { connect } from "../../src/platform/database/db.ts";
import { deliveryWorld, type World } from "./delivery-kit.ts";
import { startReceiver, status, type Receiver } from "./receiver.ts";

const WORKER = join(import.meta.dirname, "worker-process.ts");
const hasEnded = (delivery: { status: string }) => delivery.status !== "pending";

async function startWorkerProcess(
  t: TestContext,
  { url }: World,
  receiver: Receiver,
): Promise<ChildProcess> {
  const child = spawn(process.execPath, [WORKER, url, receiver.url], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  t.after(() => child.kill("SIGKILL"));
  await once(child.stdout, "data");
  return child;
}

const effectsOf = async ({ sql }: World): Promise<readonly string[]> =>
  (await sql`select delivery_id from effects order by 1`).map((row) => String(row["delivery_id"]));

test("two processes share the work; each delivery is sent once and causes its effect once", async (t) => {
  const receiver = await startReceiver(t);
  const world = await deliveryWorld(t, { request: () => "skip" });
  receiver.respond = (response) => void setTimeout(() => response.writeHead(204).end(), 5);
  const scopes = await Promise.all(Array.from({ length: 8 }, () => world.tenant()));
  await Promise.all([
    startWorkerProcess(t, world, receiver),
    startWorkerProcess(t, world, receiver),
  ]);
  const made = await Promise.all(
    scopes.flatMap((scope) =>
      Array.from({ length: 25 }, async (_, at) => ({
        scope,
        id: await world.promise(scope, `s${at}`),
      })),
    ),
  );
  for (const { scope, id } of made) await world.until(scope, id, hasEnded, 30_000);
  const ids = made.map(({ id }) => id).toSorted();
  assert.deepEqual(
    receiver.received.map(({ headers }) => String(headers["webhook-id"])).toSorted(),
    ids,
  );
  assert.deepEqual(await effectsOf(world), ids);
});

test("a worker killed in the middle of a send: another tries again, with the same id, after its lease", async (t) => {
  const receiver = await startReceiver(t);
  const world = await deliveryWorld(t, { request: () => "skip" });
  const scope = await world.tenant();
  const [first, second] = [
    await startWorkerProcess(t, world, receiver),
    await startWorkerProcess(t, world, receiver),
  ];
  // Both are there, and whichever has the delivery is killed while its receiver thinks.
  receiver.respond = () => {};
  const id = await world.promise(scope, "s", 1);
  while (receiver.received.length === 0) await sleep(10);
  const killed_ms = performance.now();
  for (const child of [first, second]) child.kill("SIGKILL");
  receiver.respond = status(200);
  await startWorkerProcess(t, world, receiver);
  const delivery = await world.until(scope, id, hasEnded, 40_000);
  const took_ms = performance.now() - killed_ms;
  assert.equal(delivery.status, "delivered");
  // A second of time-out, five of margin, three between two looks, and a second to find it.
  assert.ok(took_ms < 13_000, `${took_ms} ms`);
  const seen = receiver.received.map(({ headers }) => headers["webhook-id"]);
  assert.deepEqual(seen, [id, id]);
  assert.deepEqual(await effectsOf(world), [id]);
});

test("a worker killed between the receiver's 200 and the note of it: sent again, caused once", async (t) => {
  const receiver = await startReceiver(t);
  const world = await deliveryWorld(t, { request: () => "skip" });
  const scope = await world.tenant();
  const child = await startWorkerProcess(t, world, receiver);
  const [locked, holding] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let answered = 0;
  receiver.respond = async (response) => {
    await locked.promise;
    response.writeHead(200).end(() => (answered += 1));
  };
  const id = await world.promise(scope, "s", 1);
  // The note cannot be written while somebody else holds the delivery's row.
  const held = world.sql.begin(async (tx) => {
    await tx`select from deliveries for update`;
    locked.resolve();
    await holding.promise;
  });
  while (answered === 0) await sleep(10);
  await sleep(300);
  child.kill("SIGKILL");
  await once(child, "exit");
  holding.resolve();
  await held;
  assert.equal((await world.until(scope, id, () => true)).status, "pending");
  await startWorkerProcess(t, world, receiver);
  await world.until(scope, id, hasEnded, 40_000);
  assert.deepEqual(
    receiver.received.map(({ headers }) => headers["webhook-id"]),
    [id, id],
  );
  assert.deepEqual(await effectsOf(world), [id]);
});

test("SIGTERM lets the attempt at hand be finished and noted", async (t) => {
  const receiver = await startReceiver(t);
  const world = await deliveryWorld(t, { request: () => "skip" });
  const scope = await world.tenant();
  receiver.respond = (response) => void setTimeout(() => response.writeHead(200).end(), 700);
  const child = await startWorkerProcess(t, world, receiver);
  const id = await world.promise(scope, "s", 1);
  while (receiver.received.length === 0) await sleep(10);
  const later = await world.promise(scope, "later", 1);
  await sleep(100);
  const asked_ms = performance.now();
  child.kill("SIGTERM");
  const [code] = await once(child, "exit");
  assert.equal(code, 0);
  assert.ok(performance.now() - asked_ms < 10_000);
  assert.equal((await world.until(scope, id, () => true)).status, "delivered");
  // The second was taken in time as well, or waits untouched for the next worker.
  const other = await world.until(scope, later, () => true);
  assert.equal(other.status === "delivered", other.attempt_count === 1);
  assert.deepEqual(
    (await effectsOf(world)).length,
    [id, later].length - (other.status === "pending" ? 1 : 0),
  );
});

test("a worker that lost its job to another notes what it got; the effect is caused once", async (t) => {
  const receiver = await startReceiver(t);
  const answers: (() => void)[] = [];
  receiver.respond = (response) => void answers.push(() => void response.writeHead(200).end());
  const world = await deliveryWorld(t, {
    request: () => ({ url: receiver.url, timeout_s: 20 }),
  });
  const scope = await world.tenant();
  world.work();
  const id = await world.promise(scope, "s", 20);
  while (answers.length < 1) await sleep(10);
  // As if the time of its job had passed: the queue gives it to whoever asks next.
  await world.sql`update pgboss.job set started_on = now() - interval '1 hour'`;
  while (answers.length < 2) await sleep(10);
  for (const answer of answers) answer();
  const delivery = await world.until(scope, id, ({ attempts }) => attempts.length === 2);
  assert.equal(delivery.status, "delivered");
  assert.deepEqual(world.learned.delivered, [id]);
  await sleep(1500);
  assert.equal(receiver.received.length, 2);
  assert.equal((await world.sql`select from pgboss.job`).count, 0);
});

test("an effect that cannot be had leaves the delivery to be tried again, and is undone whole", async (t) => {
  const receiver = await startReceiver(t);
  let asked = 0;
  const world = await deliveryWorld(t, {
    request: () => ({ url: receiver.url }),
    onDelivered: async ({ db }) => {
      asked += 1;
      await db`insert into half_done values (${asked})`;
      if (asked < 3) throw new Error("the lead is locked");
    },
  });
  await world.sql`create table half_done (n integer)`;
  const scope = await world.tenant();
  world.work({ gaps_s: [0, 0.1, 0.1, 0.1] });
  const id = await world.promise(scope, "s");
  const delivery = await world.until(scope, id, hasEnded);
  assert.equal(delivery.status, "delivered");
  assert.deepEqual(
    delivery.attempts.map((one: Record<string, unknown>) => [one["status"], one["fault"]]),
    [
      [204, "internal"],
      [204, "internal"],
      [204, null],
    ],
  );
  assert.deepEqual([...(await world.sql`select n from half_done`)], [{ n: 3 }]);
  assert.equal(new Set(receiver.received.map(({ headers }) => headers["webhook-id"])).size, 1);
});

test("a worker whose connections are all cut in the middle goes on, and hears of promises again", async (t) => {
  const receiver = await startReceiver(t);
  const answers: (() => void)[] = [];
  receiver.respond = (response) => void answers.push(() => void response.writeHead(200).end());
  const world = await deliveryWorld(t, { request: () => ({ url: receiver.url, timeout_s: 10 }) });
  const scope = await world.tenant();
  world.work();
  const id = await world.promise(scope, "s", 10);
  while (answers.length === 0) await sleep(10);
  const cut = world.sql`
    select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid()`;
  await cut;
  for (const answer of answers) answer();
  // Looked at over a connection that was not cut.
  const { sql: db, close } = connect({ url: world.url, connections: 1, listTimeout_ms: 5000 });
  t.after(() => close());
  const looking = { ...scope, db };
  const first = await world.until(looking, id, hasEnded, 20_000);
  assert.deepEqual([first.status, receiver.received.length], ["delivered", 1]);
  receiver.respond = status(200);
  await sleep(3000);
  const promised_ms = performance.timeOrigin + performance.now();
  await world.until(looking, await world.promise(scope, "after", 10), hasEnded, 20_000);
  const wait_ms = (receiver.received.at(-1)?.at_ms ?? Infinity) - promised_ms;
  assert.ok(wait_ms < 900, `${wait_ms} ms: found by a look, not by the call`);
  assert.deepEqual(world.learned.delivered.length, 2);
});
