/** Events are queued exactly once, even if workers are killed, and a failing webhook affects no other. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { test, type TestContext } from "node:test";
import pino from "pino";
import type { TenantId } from "../../src/audit/index.ts";
import { createQueue } from "../../src/delivery/index.ts";
import { OPEN_MAX } from "../../src/events/dispatch.ts";
import { FilterTooSlow, unlessTooSlow } from "../../src/events/enqueue-events.ts";
import { startDispatch } from "../../src/events/index.ts";
import { AT_ONCE, createReplays } from "../../src/events/replay.ts";
import { pushedLeadViews } from "../../src/exchange/index.ts";
import { systemClock } from "../../src/platform/clock/clock.ts";
import { idSource } from "../../src/platform/ids/ids.ts";
import { ok, type Body } from "../api/samples.ts";
import { startReceiver } from "../delivery/receiver.ts";
import { movableClock } from "../kit/clock.ts";
import { startApi, type Api } from "../kit/api.ts";
import { eventually } from "../kit/eventually.ts";
import { makeWebhook, toldAt, typesOf, WEBHOOKS } from "./event-kit.ts";
import { startScript, openPools, atEnd } from "../kit/started.ts";

/** Starts a process that queues events. */
const startDispatcher = async (t: TestContext, url: string) =>
  (await startScript(t, join(import.meta.dirname, "dispatch-process.ts"), url)).child;

const CHANGES = 4000;
/** How long to wait until a share of their events is queued. */
const QUEUED_within_ms = 180_000;

test("workers that are killed while they queue lose no event and double none", async (t) => {
  const api = await startApi(t);
  const client = await api.tenant();
  const { id } = await makeWebhook(client, {
    url: "https://hooks.example.com/",
    events: ["task.*"],
  });
  await api.sql`
    insert into changes (tenant_id, id, at, subject_type, subject_id, action, version,
                         actor_kind, actor_id, actor_name, fields)
    select ${client.tenantId}, lpad(n::text, 24, '0'), now(), 'task', 't', 'updated', 2,
           'service', 's', 's', '{"status": ["assigned", "completed"]}'
      from generate_series(1, ${CHANGES}::integer) n`;
  const counted = async () => {
    const [row] = await api.sql`
      select count(*)::integer as all, count(distinct subject_id)::integer as distinct
        from deliveries where tenant_id = ${client.tenantId}`;
    return row as unknown as { all: number; distinct: number };
  };
  let workers = await Promise.all([1, 2].map(() => startDispatcher(t, api.databaseUrl)));
  for (const share of [0.15, 0.45]) {
    await eventually(counted, ({ all }) => all > share * 2 * CHANGES, QUEUED_within_ms);
    for (const worker of workers) worker.kill("SIGKILL");
    workers = await Promise.all([1, 2].map(() => startDispatcher(t, api.databaseUrl)));
  }
  const done = await eventually(counted, ({ all }) => all >= 2 * CHANGES, QUEUED_within_ms);
  assert.deepEqual(done, { all: 2 * CHANGES, distinct: 2 * CHANGES });
  const [jobs] = await api.sql`select count(*)::integer as count from pgboss.job`;
  assert.equal(jobs?.["count"], 2 * CHANGES);
  const [webhook] = await api.sql`
    select position, (select max(seq) from changes) as last from event_webhooks where id = ${id}`;
  assert.ok(webhook?.["position"] >= webhook?.["last"]);
});

test("a change that committed late is sent, although later ones were sent before it", async (t) => {
  const api = await startApi(t, { works: true });
  const receiver = await startReceiver(t);
  const client = await api.tenant();
  await makeWebhook(client, { url: `${receiver.url}/`, events: ["lead.*"] });
  const { _id } = ok(await client.post("/crm/leads", { name: "Late" })).body;
  await eventually(
    () => receiver.received.length,
    (count) => count === 1,
  );
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const { promise: begun, resolve: hasBegun } = Promise.withResolvers<void>();
  const late = api.sql.begin(async (tx) => {
    await tx`
      insert into changes (tenant_id, id, at, subject_type, subject_id, action, version,
                           actor_kind, actor_id, actor_name, fields)
      values (${client.tenantId}, ${"a".repeat(24)}, now(), 'lead', ${_id}, 'updated', 2,
              'service', 's', 's', '{}')`;
    hasBegun();
    await held;
  });
  await begun;
  ok(await client.post("/crm/leads", { name: "Early" }));
  await sleep(600);
  // While the transaction is open, no changes with later positions are sent.
  assert.equal(receiver.received.length, 1);
  release();
  await late;
  const all = await eventually(
    () => toldAt(receiver.received, "/"),
    ({ length }) => length === 3,
  );
  assert.deepEqual(typesOf(all), ["lead.created", "lead.created", "lead.updated"]);
});

test("for a receiver that is far behind nothing more is queued until it has caught up", async (t) => {
  const api = await startApi(t);
  const client = await api.tenant();
  const { id } = await makeWebhook(client, {
    url: "https://hooks.example.com/",
    events: ["lead.*"],
  });
  const now_s = Math.floor(Date.now() / 1000);
  await api.sql`
    insert into deliveries (tenant_id, id, topic, subject_id, status, attempts, tries, created_ts, updated_ts)
    select ${client.tenantId}, lpad(n::text, 24, '0'), 'event', ${id} || '.' || n, 'pending', 1, 1, ${now_s}, ${now_s}
      from generate_series(1, ${OPEN_MAX}::integer) n`;
  ok(await client.post("/crm/leads", { name: "A" }));
  // The dispatcher only queues. Nothing is sent, so the deliveries above stay pending.
  await startDispatcher(t, api.databaseUrl);
  const promised = async () =>
    (await api.sql`select from deliveries where subject_id like ${`${id}.%.lead.created`}`).count;
  await sleep(600);
  assert.equal(await promised(), 0);
  await api.sql`update deliveries set status = 'failed' where tenant_id = ${client.tenantId}`;
  await eventually(promised, (count) => count === 1);
});

/** Runs `work` while the leads table is locked and a dispatcher queues events with the given query timeout. */
async function besideLockedLeads(
  t: TestContext,
  api: Api,
  listTimeout_ms: number,
  work: (unlock: () => void) => Promise<void>,
): Promise<void> {
  const locked = Promise.withResolvers<void>();
  const over = Promise.withResolvers<void>();
  const locking = api.sql.begin(async (tx) => {
    await tx`lock table leads in access exclusive mode`;
    locked.resolve();
    await over.promise;
  });
  await locked.promise;
  const db = openPools(t, { url: api.databaseUrl, connections: 4, listTimeout_ms });
  const clock = systemClock();
  const queue = createQueue({ sql: db.sql, supervise: false, note: () => {} });
  const last = async () => Number((await api.sql`select max(seq) as seq from changes`)[0]?.["seq"]);
  const loop = startDispatch({
    db,
    clock,
    makeId: idSource(clock),
    queue,
    pushed: pushedLeadViews(clock),
    // Treat every change as settled. The transaction that holds the lock has written nothing.
    horizon: {
      settled: async () => {
        const seq = await last();
        return { seq, at_s: 0, drawn: seq };
      },
    },
    log: pino({ level: "silent" }),
  });
  try {
    await work(over.resolve);
  } finally {
    over.resolve();
    await locking;
    await loop.stop();
    await queue.close();
  }
}

/**
 * Returns the number of deliveries queued for a webhook, once there are any. Reads the table
 * directly, because listing deliveries through the API would wait for the lock on leads.
 */
const promisedTo = (api: Api, { id }: { readonly id: string }): Promise<number> =>
  eventually(
    async () => (await api.sql`select from deliveries where subject_id like ${`${id}.%`}`).count,
    (count) => count > 0,
  );

test("a filter that is too slow for the database disables its webhook, and no other", async (t) => {
  const api = await startApi(t);
  const client = await api.tenant();
  const url = "https://hooks.example.com/";
  const filter = { name: { $regex: "^A" } };
  const slow = await makeWebhook(client, { url, events: ["lead.*"], filter });
  const other = await makeWebhook(client, { url, events: ["lead.*"] });
  ok(await client.post("/crm/leads", { name: "A" }));
  const read = async (id: string): Promise<Body> => ok(await client.get(`${WEBHOOKS}/${id}`)).body;
  await besideLockedLeads(t, api, 200, async () => {
    const off = await eventually(
      () => read(slow.id),
      ({ enabled }) => enabled === false,
    );
    assert.equal(off["disabled_reason"], "filter_too_slow");
    assert.equal((await read(other.id))["enabled"], true);
    assert.equal(await promisedTo(api, other), 1);
  });
});

test("a filter that was replaced while it was too slow does not disable its webhook", async (t) => {
  const clock = movableClock();
  const api = await startApi(t, { clock });
  const client = await api.tenant();
  const tenantId = client.tenantId as TenantId;
  const url = "https://hooks.example.com/";
  const events = ["lead.*"];
  const { id } = await makeWebhook(client, { url, events, filter: { name: { $regex: "^A" } } });
  const db = openPools(t, { url: api.databaseUrl, connections: 4, listTimeout_ms: 5000 });
  const queue = createQueue({ sql: db.sql, supervise: false, note: () => {} });
  atEnd(t, () => queue.close());
  const deps = { db, clock, makeId: idSource(clock), queue, pushed: pushedLeadViews(clock) };
  const isEnabledAfter = async (change: () => Promise<unknown>): Promise<unknown> => {
    await unlessTooSlow(deps, { tenantId, id }, async () => {
      await change();
      throw new FilterTooSlow();
    });
    return ok(await client.get(`${WEBHOOKS}/${id}`)).body.enabled;
  };
  const replace = async () =>
    ok(await client.patch(`${WEBHOOKS}/${id}`, { filter: { name: "A" } }));
  assert.equal(await isEnabledAfter(replace), true);
  clock.forward_s(1);
  assert.equal(await isEnabledAfter(async () => undefined), false);
});

test("a slow filter blocks neither its webhook nor new events behind its replay", async (t) => {
  const api = await startApi(t);
  const client = await api.tenant();
  const url = "https://hooks.example.com/";
  const lead = { url, events: ["lead.*"], filter: { name: { $regex: "^A" } } };
  const replayed = await makeWebhook(client, lead);
  const asked = await makeWebhook(client, lead);
  const other = await makeWebhook(client, { url, events: ["task.*"] });
  ok(await client.post("/crm/leads", { name: "A" }));
  await api.sql`update event_webhooks set position = (select max(seq) from changes)`;
  const now_s = Math.floor(Date.now() / 1000);
  const range = { start_date: now_s - 60, end_date: now_s + 60 };
  ok(await client.post(`${WEBHOOKS}/${replayed.id}/replay`, range));
  /** Returns the number of queries that are waiting for the table. */
  const waiting = async () =>
    (
      await api.sql`
        select from pg_stat_activity
         where application_name = 'leadport lists' and wait_event_type = 'Lock'
           and datname = current_database()`
    ).count;
  await besideLockedLeads(t, api, 60_000, async (unlock) => {
    await eventually(waiting, (count) => count === 1);
    ok(await client.post("/crm/tasks", { name: "New" }));
    assert.equal(await promisedTo(api, other), 1);
    await api.sql`update event_webhooks set position = 0 where id = ${asked.id}`;
    await eventually(waiting, (count) => count === 2);
    const changed = await client.patch(`${WEBHOOKS}/${asked.id}`, { description: "Changed" });
    assert.equal(ok(changed).body.description, "Changed");
    assert.equal(await waiting(), 2);
    unlock();
    assert.deepEqual([await promisedTo(api, replayed), await promisedTo(api, asked)], [1, 1]);
  });
});

test("replays whose receiver is away, or whose webhook is disabled, do not block others", async (t) => {
  const api = await startApi(t);
  const client = await api.tenant();
  const db = openPools(t, { url: api.databaseUrl, connections: 4, listTimeout_ms: 5000 });
  const clock = systemClock();
  const queue = createQueue({ sql: db.sql, supervise: false, note: () => {} });
  atEnd(t, () => queue.close());
  const url = "https://hooks.example.com/";
  const { id } = await makeWebhook(client, { url, events: ["task.*"] });
  const now_s = Math.floor(Date.now() / 1000);
  const asked = { start_date: now_s - 60, end_date: now_s + 60 };
  ok(await client.post(`${WEBHOOKS}/${id}/replay`, asked));
  await api.sql`update event_replays set created_ts = created_ts + 10`;
  await api.sql`
    insert into event_webhooks
    select (jsonb_populate_record(w, jsonb_build_object('id', lpad(n::text, 24, '0'),
                                                       'enabled', n % 2 = 0))).*
      from event_webhooks w, generate_series(1, ${3 * AT_ONCE}::integer) n where w.id = ${id}`;
  await api.sql`
    insert into event_replays
    select (jsonb_populate_record(r, jsonb_build_object('webhook_id', lpad(n::text, 24, '0'),
                                                       'created_ts', 1))).*
      from event_replays r, generate_series(1, ${3 * AT_ONCE}::integer) n where r.webhook_id = ${id}`;
  await api.sql`
    insert into deliveries (tenant_id, id, topic, subject_id, status, attempts, tries, created_ts, updated_ts)
    select ${client.tenantId}, lpad(((n - 1) * 400 + k)::text, 24, '0'), 'event',
           lpad(n::text, 24, '0') || '.' || k, 'pending', 1, 1, ${now_s}, ${now_s}
      from generate_series(2, ${3 * AT_ONCE}::integer, 2) n, generate_series(1, 400) k`;
  const makeId = idSource(clock);
  const replay = createReplays({ db, clock, makeId, queue, pushed: pushedLeadViews(clock) });
  const finished = async () => {
    const [row] = await api.sql`select finished_ts from event_replays where webhook_id = ${id}`;
    return row?.["finished_ts"] !== null;
  };
  assert.deepEqual([await replay(), await finished()], [true, false]);
  assert.deepEqual([await replay(), await finished()], [false, true]);
});
