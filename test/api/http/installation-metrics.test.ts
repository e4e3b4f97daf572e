/** Metrics about the installation's database in /metrics: jobs, webhooks, lag, transactions, pools. */

import assert from "node:assert/strict";
import { fileApi } from "../../kit/file-api.ts";
import { createServer } from "node:net";
import { test, type TestContext } from "node:test";
import { Registry } from "prom-client";
import { addInstallationMetrics } from "../../../src/service/installation-metrics.ts";
import { addPoolMetrics } from "../../../src/platform/metrics/pool-metrics.ts";
import { onBehalfOf, RequestParty } from "../../../src/platform/admission/index.ts";
import { makeWebhook } from "../../events/event-kit.ts";
import { eventually } from "../../kit/eventually.ts";
import { ok } from "../samples.ts";
import { openPools, atEnd, listening } from "../../kit/started.ts";

const api = await fileApi();
const acme = await api.tenant();

/** One series from each group of values that are read from the database. */
const MEASURED = [
  "leadport_database_size_bytes",
  'leadport_jobs_pending{kind="event"}',
  "leadport_event_lag_seconds",
];

/** Creates separate metrics, because those of a running service are cached. */
async function readingOf(t: TestContext, url = api.databaseUrl) {
  const db = openPools(t, { url, connections: 2, listTimeout_ms: 10_000 });
  const register = new Registry();
  addPoolMetrics(register, db);
  const measuring = addInstallationMetrics(register, db.sql);
  atEnd(t, () => measuring.close());
  const read = () => register.metrics();
  /** Waits for the values of the database. On a busy machine, the first pages lack them: each waits half a second. */
  const readMeasured = () =>
    eventually(
      read,
      (page) =>
        valueOf(page, "leadport_database_up") === 1 &&
        MEASURED.every((series) => valueOf(page, series) !== undefined),
    );
  return { db, read, readMeasured };
}

/** Returns the value of a series in a /metrics response; undefined if the response does not contain it. */
function valueOf(page: string, series: string): number | undefined {
  const line = page.split("\n").find((text) => text.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.slice(series.length));
}

const deliver = (id: string, status: string, next_s: number | null) => api.sql`
  insert into deliveries (tenant_id, id, topic, subject_id, status, attempts, tries, next_at, created_ts, updated_ts)
  values (${acme.tenantId}, ${id}, 'event', ${id}, ${status}, 1, 1,
          now() + make_interval(secs => ${next_s}), 0, extract(epoch from now())::bigint)`;

test("jobs, failures, webhooks and lag are counted from the rows", async (t) => {
  const told = { url: "http://127.0.0.1:9/", events: ["lead.created"] };
  const one = await makeWebhook(acme, told);
  const two = await makeWebhook(acme, told);
  const three = await makeWebhook(acme, told);
  await api.sql`update event_webhooks set enabled = false where id = ${two.id}`;
  await api.sql`
    update event_webhooks set enabled = false, disabled_reason = 'failing' where id = ${three.id}`;
  ok(await acme.post("/crm/leads", { name: "Told later" }));
  await api.sql`
    update changes set at = now() - interval '90 seconds'
     where subject_type = 'lead' and tenant_id = ${acme.tenantId}`;
  await deliver("1".repeat(24), "pending", -120);
  await deliver("2".repeat(24), "pending", 600);
  await deliver("3".repeat(24), "failed", null);
  const renamed = Math.floor(Date.now() / 1000) - 45;
  await api.sql`
    insert into renames (id, tenant_id, referenced_type, record_id)
    values (${renamed.toString(16).padEnd(24, "0")}, ${acme.tenantId}, 'account', 'none')`;
  const page = await (await readingOf(t)).readMeasured();
  const value = (series: string) => valueOf(page, `leadport_${series}`);
  assert.equal(value('jobs_pending{kind="event"}'), 2);
  assert.equal(value('jobs_pending{kind="lead.imported"}'), 0);
  assert.equal(value('jobs_pending{kind="event_replay"}'), 0);
  assert.equal(value('jobs_pending{kind="rename"}'), 1);
  const near = (series: string, seconds: number) => {
    const found = value(series) ?? -1;
    assert.ok(found >= seconds && found < seconds + 60, `${series} ${found}`);
  };
  near('jobs_oldest_age_seconds{kind="event"}', 120);
  near('jobs_oldest_age_seconds{kind="rename"}', 44);
  assert.equal(value('deliveries_failed_last_hour{topic="event"}'), 1);
  for (const state of ["enabled", "disabled", "paused"]) {
    assert.equal(value(`event_webhooks{state="${state}"}`), 1, state);
  }
  near("event_lag_seconds", 90);
  assert.equal(typeof one.id, "string");
  assert.equal(value("database_up"), 1);
  assert.ok((value("database_size_bytes") ?? 0) > 1e6);
  const [database] = await api.sql<{ version: string }[]>`
    select current_setting('server_version') as version`;
  assert.equal(value(`database_info{version="${database?.version}"}`), 1);
});

test("an open transaction that has written shows as the feed's lag and as a connection in use", async (t) => {
  const { db, readMeasured } = await readingOf(t);
  const started = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const open = db.sql.begin(async (tx) => {
    await tx`update tenants set name = name where id = ${acme.tenantId}`;
    started.resolve();
    await release.promise;
  });
  await started.promise;
  const page = await readMeasured();
  release.resolve();
  await open;
  assert.ok((valueOf(page, "leadport_change_feed_lag_seconds") ?? 0) > 0);
  assert.ok((valueOf(page, "leadport_database_longest_transaction_seconds") ?? 0) > 0);
  const pool = (name: string) => valueOf(page, `leadport_database_pool_${name}{pool="writes"}`);
  assert.deepEqual([pool("connections_in_use"), pool("connections_max")], [1, 2]);
});

test("slots are shown by pool and class, and by tenant: in use, waiting and used", async (t) => {
  const { db, read } = await readingOf(t);
  const party = new RequestParty("192.0.2.1");
  party.identify(acme.tenantId, "token t1");
  const started = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const work = [1, 2].map(() =>
    onBehalfOf(party, () =>
      db.sql.begin(async (tx) => {
        await tx`select 1`;
        started.resolve();
        await release.promise;
      }),
    ),
  );
  const waiting = onBehalfOf(party, () => db.sql`select 1`);
  await started.promise;
  const page = await read();
  release.resolve();
  await Promise.all([...work, waiting]);
  const pool = (name: string) =>
    valueOf(page, `leadport_database_pool_slots_${name}{pool="writes",class="interactive"}`);
  assert.equal(valueOf(page, 'leadport_database_pool_slots{pool="writes"}'), 2);
  assert.deepEqual([pool("in_use"), pool("waiting")], [2, 1]);
  const tenant = (name: string, of: string) =>
    valueOf(page, `leadport_tenant_slots_${name}{tenant="${of}"}`);
  assert.deepEqual([tenant("in_use", acme.tenantId), tenant("waiting", acme.tenantId)], [2, 1]);
  assert.deepEqual([tenant("in_use", "other"), tenant("waiting", "none")], [0, 0]);
  assert.ok((tenant("average", acme.tenantId) ?? 0) > 0);
  const used = 'leadport_database_pool_slot_seconds_total{pool="writes",class="interactive"}';
  const before_s = valueOf(page, used) ?? 0;
  assert.ok(before_s > 0);
  assert.ok((valueOf(await read(), used) ?? 0) > before_s);
});

test("without a database the page does not wait for it, and shows no old values", async (t) => {
  const url = new URL(api.databaseUrl);
  url.port = String(await listening(t, createServer()));
  const { db, read } = await readingOf(t, url.href);
  // This server accepts connections but never responds, so the statement fails only after the connect timeout.
  const statement = db.sql`select 1`.then(
    () => "statement",
    () => "statement",
  );
  assert.notEqual(await Promise.race([read(), statement]), "statement");
  const page = await eventually(read, (text) => valueOf(text, "leadport_database_up") === 0);
  assert.equal(valueOf(page, "leadport_database_size_bytes"), undefined);
  assert.equal(valueOf(page, 'leadport_jobs_pending{kind="event"}'), undefined);
});
