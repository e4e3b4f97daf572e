/**
 * Imports by webhook while everything that can fail does: the endpoint fails at random, workers are killed with
 * SIGKILL, and the database is stopped and crashes. Every lead is delivered at least once and imported exactly once.
 */

import assert from "node:assert/strict";
import type { ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { file, fileApi } from "../kit/file-api.ts";
import { ok, type Body } from "../api/samples.ts";
import type { Client } from "../kit/api.ts";
import { isLong } from "../kit/long.ts";
import { randomFrom } from "../kit/random.ts";
import { separateServer } from "../kit/database.ts";
import { DELIVERIES, newSecret, setWebhook } from "../exchange/callouts/callout-kit.ts";
import { partnerOf, REVIEW } from "../exchange/exchange-kit.ts";
import { startFaultyReceiver, type FaultyReceiver } from "../exchange/callouts/faulty-receiver.ts";
import { eventually } from "../kit/eventually.ts";
import { startScript } from "../kit/started.ts";

const WORKER = join(import.meta.dirname, "../exchange/callouts/webhook-worker.ts");
const LEADS = isLong ? 1000 : 60;
const TENANTS = 5;
const WITHIN_ms = 90_000 + LEADS * 100;
/** The first delivery of one in `GONE_SHARE` leads fails with 410. */
const GONE_SHARE = 20;

const isGone = (lead: string) => Number.parseInt(lead.slice(-6), 16) % GONE_SHARE === 0;

// The test stops and kills this database server, so the test cannot use the shared server. The server must start before
// the API does.
const server = await separateServer(file);
process.env["TEST_DATABASE_URL"] = server.url;
const key = randomBytes(32);
const api = await fileApi({ keys: { all: [key] } });

interface Workers {
  readonly killed: () => number;
  readonly kill: (count: number) => Promise<void>;
  /** Starts workers until the expected number is running. */
  readonly fill: () => Promise<void>;
}

function startWorkers(t: TestContext, size: number): Workers {
  const running = new Set<ChildProcess>();
  let killed = 0;
  const end = async (child: ChildProcess): Promise<void> => {
    running.delete(child);
    const exited = once(child, "exit");
    child.kill("SIGKILL");
    await exited;
  };
  return {
    killed: () => killed,
    kill: async (count) => {
      const victims = [...running].slice(0, count);
      killed += victims.length;
      await Promise.all(victims.map(end));
    },
    fill: async () => {
      while (running.size < size) {
        const { child } = await startScript(t, WORKER, api.databaseUrl, key.toString("base64"));
        running.add(child);
      }
    },
  };
}

/** Retries `work` while the database is unavailable. */
async function patiently<T>(work: () => Promise<T>): Promise<T> {
  const done = await eventually(
    () =>
      work().then(
        (result) => ({ result }),
        (error: unknown) => ({ error: String(error) }),
      ),
    (seen) => "result" in seen,
  );
  return (done as { readonly result: T }).result;
}

const importedCount = (): Promise<number> =>
  patiently(async () => (await api.sql`select from pushed_leads where status = 'imported'`).count);

/** Pushes and accepts leads of a new tenant whose imports go to the receiver. */
async function prepare(receiver: FaultyReceiver, count: number) {
  const client = await api.tenant();
  await setWebhook(client, { url: `${receiver.url}/in`, timeout_s: 1 });
  await newSecret(client);
  const partner = await partnerOf(client);
  const ids: string[] = [];
  while (ids.length < count) ids.push((await partner.push()).id);
  const results = ok(await client.post(`${REVIEW}/batch`, { ids, action: "accept" })).body;
  assert.ok(results.every((one: Body) => one["ok"]));
  return { client, ids };
}

/**
 * Imports leads in batches and retries while the database is unavailable. Afterward, a delivery is queued for every
 * lead.
 */
async function importAll(client: Client, ids: readonly string[]): Promise<void> {
  for (let at = 0; at < ids.length; at += 20) {
    const body = { ids: ids.slice(at, at + 20), action: "import" };
    const answer = await eventually(
      () => client.post(`${REVIEW}/batch`, body),
      ({ status }) => status !== 503,
    );
    const results = ok(answer).body as Body[];
    const bad = results.filter(({ ok, code }) => ok !== true && code !== 409);
    assert.deepEqual(bad, []);
    await sleep(50);
  }
}

/** Imports leads again if their delivery ended with a 410. Returns whether all leads are imported. */
async function importGone(client: Client): Promise<boolean> {
  const answer = await client.get(REVIEW, { status: "accepted", page_size: 500 });
  if (answer.status === 503) return false;
  const leads = ok(answer).body as { id: string; delivery: Body | null }[];
  const ids = leads.filter(({ delivery }) => delivery?.["status"] === "gone").map(({ id }) => id);
  if (ids.length > 0) await importAll(client, ids);
  return leads.length === 0;
}

/**
 * Kills every worker after the endpoint has accepted some leads, but before a worker can record the results. Adds those
 * deliveries to `struck`.
 */
async function killBeforeNotes(
  workers: Workers,
  receiver: FaultyReceiver,
  struck: Set<string>,
): Promise<void> {
  const { ids, release } = await holdNotes();
  receiver.favor(ids);
  const taken = () => ids.filter((id) => (receiver.byId.get(id)?.taken ?? 0) > 0);
  await eventually(() => taken().length >= 3);
  await workers.kill(2);
  await release();
  const left = await api.sql`select status from deliveries where id = any(${taken()}::text[])`;
  assert.deepEqual([...new Set(left.map((row) => row["status"] as string))], ["pending"]);
  for (const id of taken()) struck.add(id);
}

/**
 * Locks the next deliveries in the queue, so that their results cannot be recorded until they are released. Skips leads
 * whose first delivery fails with 410, because the endpoint must accept some of these deliveries.
 */
async function holdNotes() {
  const holding = Promise.withResolvers<void>();
  const ready = Promise.withResolvers<readonly string[]>();
  const held = api.sql.begin(async (tx) => {
    const rows = await tx`
      select d.id from deliveries d join pgboss.job j on j.data->>'delivery_id' = d.id
       where d.status = 'pending' and j.state = 'created'
         and ('x' || right(d.subject_id, 6))::bit(24)::int % ${GONE_SHARE}::int <> 0
       order by j.start_after, j.created_on limit 6 for update of d`;
    ready.resolve(rows.map((row) => row["id"] as string));
    await holding.promise;
  });
  const release = async (): Promise<void> => {
    holding.resolve();
    await held;
  };
  return { ids: await ready.promise, release };
}

async function endDatabase(signal: "SIGINT" | "SIGQUIT"): Promise<void> {
  const [row] = await patiently(
    () => api.sql`select pg_read_file('postmaster.pid') as text, pg_postmaster_start_time() as at`,
  );
  process.kill(Number.parseInt(row?.["text"], 10), signal);
  const [again] = await patiently(async () => {
    const rows = await api.sql`select pg_postmaster_start_time() as at`;
    assert.notDeepEqual(rows[0]?.["at"], row?.["at"]);
    return rows;
  });
  assert.ok(again !== undefined);
}

test(`${LEADS} imports through every fault: each is delivered, imported once, and never lost`, async (t) => {
  const random = randomFrom(20_260_101);
  const receiver = await startFaultyReceiver(t, { random, isGone });
  const tenants = await Promise.all(
    Array.from({ length: TENANTS }, () => prepare(receiver, LEADS / TENANTS)),
  );
  const workers = startWorkers(t, 2);
  await workers.fill();
  const begun_ms = performance.now();
  const importing = Promise.all(tenants.map(({ client, ids }) => importAll(client, ids)));
  const struck = new Set<string>();
  const strike = () => killBeforeNotes(workers, receiver, struck);
  /** Faults, each with the share of the leads that must be imported before it is injected. */
  const plagues: readonly (readonly [share: number, plague: () => Promise<void>])[] = [
    [0.05, strike],
    [0.15, () => workers.kill(1)],
    [0.25, () => endDatabase("SIGINT")],
    [0.4, () => receiver.refuse(1000)],
    [0.5, strike],
    [0.6, () => endDatabase("SIGQUIT")],
    [0.75, () => workers.kill(2)],
  ];
  for (const [share, plague] of plagues) {
    await eventually(importedCount, (count) => count >= share * LEADS, WITHIN_ms);
    await plague();
    await workers.fill();
  }
  await importing;
  await eventually(
    () => Promise.all(tenants.map(({ client }) => importGone(client))),
    (areDone) => areDone.every(Boolean),
    WITHIN_ms,
  );
  const took_s = (performance.now() - begun_ms) / 1000;

  const ids = tenants.flatMap(({ ids }) => ids).toSorted();
  // Each lead was imported through the webhook, with one history entry, and no CRM lead was created.
  const moves = await api.sql`
    select subject_id as id from changes
     where subject_type = 'pushed_lead' and action = 'imported' order by subject_id collate "C"`;
  assert.deepEqual(
    moves.map((row) => row["id"] as string),
    ids,
  );
  const leads = await api.sql`select status, imported_lead_id from pushed_leads`;
  assert.ok(leads.every((row) => row["status"] === "imported" && row["imported_lead_id"] === null));
  assert.equal((await api.sql`select from leads`).count, 0);
  // The endpoint accepted exactly the deliveries that are recorded as delivered, and received no others.
  const stored = await api.sql`select id, subject_id, status, tries from deliveries order by id`;
  for (const lead of ids) {
    const own = stored.filter((row) => row["subject_id"] === lead).map((row) => row["status"]);
    assert.deepEqual(own, isGone(lead) ? ["gone", "delivered"] : ["delivered"], lead);
  }
  assert.deepEqual(
    [...receiver.byId].map(([id, { lead, taken }]) => [id, lead, taken > 0]).toSorted(byFirst),
    stored.map((row) => [row["id"], row["subject_id"], row["status"] === "delivered"]),
  );
  assert.equal(receiver.followed(), 0);
  // Every fault occurred, and each lead whose first acceptance could not be recorded was accepted again.
  assert.deepEqual(
    Object.keys(receiver.shown).length,
    FAULTS_SHOWN,
    JSON.stringify(receiver.shown),
  );
  const twice = [...receiver.byId.values()].filter(({ taken }) => taken > 1).length;
  for (const id of struck) assert.ok((receiver.byId.get(id)?.taken ?? 0) > 1, id);
  assert.ok(struck.size >= 6);
  assert.ok(workers.killed() >= 6);
  const [jobs] = await Promise.all([api.sql`select from pgboss.job`, checkDeliveries(tenants)]);
  assert.equal(jobs.count, 0);
  const requests = [...receiver.byId.values()].reduce((sum, one) => sum + one.requests, 0);
  const most = Math.max(...stored.map((row) => row["tries"] as number));
  t.diagnostic(
    `${took_s.toFixed(1)} s, ${requests} requests, ${twice} taken twice (${struck.size} by kills before the note), at most ${most} tries, ` +
      `${workers.killed()} workers killed, ${JSON.stringify(receiver.shown)}`,
  );
});

/**
 * The number of different events that the receiver must have counted: two ways to accept a lead, eleven faults, the
 * 410, and a refused connection.
 */
const FAULTS_SHOWN = 15;

const byFirst = (a: readonly unknown[], b: readonly unknown[]): number =>
  String(a[0]) < String(b[0]) ? -1 : 1;

/** Asserts that all of each tenant's leads were delivered, with no pending or failed deliveries. */
async function checkDeliveries(
  tenants: readonly { readonly client: Client; readonly ids: readonly string[] }[],
): Promise<void> {
  for (const { client, ids } of tenants) {
    const listed = ok(await client.get(DELIVERIES, { status: "delivered", page_size: 500 })).body;
    const about = (listed as Body[]).map(({ subject_id }) => String(subject_id));
    assert.deepEqual(about.toSorted(), [...ids].toSorted());
    assert.deepEqual(ok(await client.get(DELIVERIES, { status: "pending" })).body, []);
    assert.deepEqual(ok(await client.get(DELIVERIES, { status: "failed" })).body, []);
  }
}
