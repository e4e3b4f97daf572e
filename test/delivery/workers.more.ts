/** Several workers, and workers that die: nothing is lost, and no effect happens twice. */

import assert from "node:assert/strict";
import { once } from "node:events";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { deliveryWorld, type World } from "./delivery-kit.ts";
import { startReceiver, status, type Receiver } from "./receiver.ts";
import { eventually } from "../kit/eventually.ts";
import { startScript, openPools } from "../kit/started.ts";
import { run } from "../../src/platform/database/index.ts";

const WORKER = join(import.meta.dirname, "worker-process.ts");
const hasEnded = (delivery: { status: string }) => delivery.status !== "pending";

/** Long enough for a busy machine. A job's lease is 5 s longer. */
const TIMEOUT_s = 20;
/** For tests that wait until a lease expires. */
const SHORT_s = 5;

const startWorkerProcess = async (
  t: TestContext,
  { url }: World,
  receiver: Receiver,
  timeout_s: number,
) => (await startScript(t, WORKER, url, receiver.url, String(timeout_s))).child;

const effectsOf = async ({ sql }: World): Promise<readonly string[]> =>
  (await run(sql)`select delivery_id from effects order by 1`).map((row) =>
    String(row["delivery_id"]),
  );

test("two processes share the work; each delivery is sent once and causes its effect once", async (t) => {
  const receiver = await startReceiver(t);
  const world = await deliveryWorld(t, { request: () => "skip" });
  receiver.respond = (response) => void setTimeout(() => response.writeHead(204).end(), 5);
  const scopes = await Promise.all(Array.from({ length: 8 }, () => world.tenant()));
  await Promise.all([
    startWorkerProcess(t, world, receiver, TIMEOUT_s),
    startWorkerProcess(t, world, receiver, TIMEOUT_s),
  ]);
  const made = await Promise.all(
    scopes.flatMap((scope) =>
      Array.from({ length: 25 }, async (_, at) => ({
        scope,
        id: await world.promise(scope, `s${at}`),
      })),
    ),
  );
  for (const { scope, id } of made) await world.deliveryWhen(scope, id, hasEnded);
  const ids = made.map(({ id }) => id).toSorted();
  assert.deepEqual(
    receiver.received.map(({ headers }) => String(headers["webhook-id"])).toSorted(),
    ids,
  );
  assert.deepEqual(await effectsOf(world), ids);
});

test("after a worker is killed while sending, another one tries again with the same id, after the lease", async (t) => {
  const receiver = await startReceiver(t);
  const world = await deliveryWorld(t, { request: () => "skip" });
  const scope = await world.tenant();
  const first = await startWorkerProcess(t, world, receiver, SHORT_s);
  const second = await startWorkerProcess(t, world, receiver, SHORT_s);
  // Both workers are running. The one with the delivery is killed while its receiver does not
  // respond.
  receiver.respond = () => {};
  const id = await world.promise(scope, "s", SHORT_s);
  await eventually(() => receiver.received.length > 0);
  for (const child of [first, second]) child.kill("SIGKILL");
  receiver.respond = status(200);
  await startWorkerProcess(t, world, receiver, SHORT_s);
  const delivery = await world.deliveryWhen(scope, id, hasEnded, 90_000);
  assert.equal(delivery.status, "delivered");
  const seen = receiver.received.map(({ headers }) => headers["webhook-id"]);
  assert.deepEqual(seen, [id, id]);
  assert.deepEqual(await effectsOf(world), [id]);
});

test("after a worker is killed between the receiver's 200 and recording it, the delivery is sent again and takes effect once", async (t) => {
  const receiver = await startReceiver(t);
  const world = await deliveryWorld(t, { request: () => "skip" });
  const scope = await world.tenant();
  const child = await startWorkerProcess(t, world, receiver, SHORT_s);
  const locked = Promise.withResolvers<void>();
  const holding = Promise.withResolvers<void>();
  let answered = 0;
  receiver.respond = async (response) => {
    await locked.promise;
    response.writeHead(200).end(() => (answered += 1));
  };
  const id = await world.promise(scope, "s", SHORT_s);
  // The outcome cannot be recorded while another transaction holds the delivery's row.
  const held = world.sql.begin("", async (tx) => {
    await run(tx)`select from deliveries for update`;
    locked.resolve();
    await holding.promise;
  });
  await eventually(() => answered > 0);
  await sleep(300);
  child.kill("SIGKILL");
  await once(child, "exit");
  holding.resolve();
  await held;
  assert.equal((await world.deliveryWhen(scope, id, () => true)).status, "pending");
  await startWorkerProcess(t, world, receiver, SHORT_s);
  await world.deliveryWhen(scope, id, hasEnded, 90_000);
  assert.deepEqual(
    receiver.received.map(({ headers }) => headers["webhook-id"]),
    [id, id],
  );
  assert.deepEqual(await effectsOf(world), [id]);
});

test("SIGTERM lets the current attempt finish and be recorded", async (t) => {
  const receiver = await startReceiver(t);
  const world = await deliveryWorld(t, { request: () => "skip" });
  const scope = await world.tenant();
  receiver.respond = (response) => void setTimeout(() => response.writeHead(200).end(), 700);
  const child = await startWorkerProcess(t, world, receiver, TIMEOUT_s);
  const id = await world.promise(scope, "s");
  await eventually(() => receiver.received.length > 0);
  const later = await world.promise(scope, "later");
  await sleep(100);
  child.kill("SIGTERM");
  const [code] = await once(child, "exit");
  assert.equal(code, 0);
  assert.equal((await world.deliveryWhen(scope, id, () => true)).status, "delivered");
  // The second delivery was either accepted before the worker exited, or is left for the next worker.
  const other = await world.deliveryWhen(scope, later, () => true);
  assert.equal(other.status === "delivered", other.attempt_count === 1);
  assert.deepEqual(
    (await effectsOf(world)).length,
    [id, later].length - (other.status === "pending" ? 1 : 0),
  );
});

test("a worker that lost its job to another records its response; the effect happens once", async (t) => {
  const receiver = await startReceiver(t);
  const answers: (() => void)[] = [];
  receiver.respond = (response) => void answers.push(() => void response.writeHead(200).end());
  const world = await deliveryWorld(t, {
    request: () => ({ url: receiver.url, timeout_s: 20 }),
  });
  const scope = await world.tenant();
  world.work();
  const id = await world.promise(scope, "s", 20);
  await eventually(() => answers.length >= 1);
  // Simulate that the delivery's job has timed out, so that the queue gives the job to the next worker.
  await run(world.sql)`update pgboss.job set started_on = now() - interval '1 hour'`;
  await eventually(() => answers.length >= 2);
  for (const answer of answers) answer();
  const delivery = await world.deliveryWhen(scope, id, ({ attempts }) => attempts.length === 2);
  assert.equal(delivery.status, "delivered");
  assert.deepEqual(world.learned.delivered, [id]);
  await eventually(
    () => run(world.sql)`select from pgboss.job`,
    ({ count }) => count === 0,
  );
  await sleep(1000);
  assert.equal(receiver.received.length, 2);
});

test("an effect that cannot be had leaves the delivery to be tried again, and is undone whole", async (t) => {
  const receiver = await startReceiver(t);
  let asked = 0;
  const world = await deliveryWorld(t, {
    request: () => ({ url: receiver.url }),
    onDelivered: async ({ db }) => {
      asked += 1;
      await run(db)`insert into half_done values (${asked})`;
      if (asked < 3) throw new Error("the lead is locked");
    },
  });
  await run(world.sql)`create table half_done (n integer)`;
  const scope = await world.tenant();
  world.work({ gaps_s: [0, 0.1, 0.1, 0.1] });
  const id = await world.promise(scope, "s");
  const delivery = await world.deliveryWhen(scope, id, hasEnded);
  assert.equal(delivery.status, "delivered");
  assert.deepEqual(
    delivery.attempts.map((one: Record<string, unknown>) => [one["status"], one["fault"]]),
    [
      [204, "internal"],
      [204, "internal"],
      [204, null],
    ],
  );
  assert.deepEqual([...(await run(world.sql)`select n from half_done`)], [{ n: 3 }]);
  assert.equal(new Set(receiver.received.map(({ headers }) => headers["webhook-id"])).size, 1);
});

test("a worker whose connections are all cut in the middle continues, and is notified of deliveries again", async (t) => {
  const receiver = await startReceiver(t);
  const answers: (() => void)[] = [];
  receiver.respond = (response) => void answers.push(() => void response.writeHead(200).end());
  const world = await deliveryWorld(t, { request: () => ({ url: receiver.url, timeout_s: 10 }) });
  const scope = await world.tenant();
  world.work();
  const id = await world.promise(scope, "s", 10);
  await eventually(() => answers.length > 0);
  const cut = run(world.sql)`
    select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid()`;
  await cut;
  for (const answer of answers) answer();
  // The check uses a connection that was not cut.
  const { sql: db } = openPools(t, { url: world.url, connections: 1, listTimeout_ms: 5000 });
  const looking = { ...scope, db };
  const first = await world.deliveryWhen(looking, id, hasEnded);
  assert.deepEqual([first.status, receiver.received.length], ["delivered", 1]);
  receiver.respond = status(200);
  await sleep(3000);
  await world.deliveryWhen(looking, await world.promise(scope, "after", 10), hasEnded);
  assert.deepEqual(world.learned.delivered.length, 2);
});
