/** GET /crm/admin/system: failed and slow requests by credential, and the installation's state for its owners. */

import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { test } from "node:test";
import { partnerOf } from "../../exchange/partner-kit.ts";
import { eventually } from "../../kit/eventually.ts";
import { untilLockWaits } from "../../kit/lock-waits.ts";
import type { Client } from "../../kit/api.ts";
import { fileApi } from "../../kit/file-api.ts";
import { ownerOf } from "../../people/people-kit.ts";
import type { FailedOperation, System } from "../../../sdk/src/index.ts";
import { deleteOldOutcomes } from "../../../src/system/stored-outcomes.ts";
import { systemClock } from "../../../src/platform/clock/clock.ts";
import { filled, operationsOf, readDocument } from "../operations.ts";
import { startOwnApp } from "../own-app.ts";
import { ok } from "../samples.ts";

const SYSTEM = "/crm/admin/system";
const NOBODY = "0".repeat(24);
const SLOW_ms = 1100;

let ahead_ms = 0;
const machine = systemClock();
const clock = { now_ms: () => machine.now_ms() + ahead_ms };
const api = await fileApi({ clock });

const systemOf = async (client: Client): Promise<System> => ok(await client.get(SYSTEM)).body;

const sumOf = (rows: readonly FailedOperation[], member: "failed" | "slow"): number =>
  rows.reduce((total, row) => total + row[member], 0);

/**
 * Waits until a tenant has `failed` failed requests and returns all requests that are listed, except operations that
 * were only slow, because any request can be slow on a busy machine.
 */
async function failuresOf(client: Client, failed: number): Promise<FailedOperation[]> {
  const { requests } = await eventually(
    () => systemOf(client),
    (found) => sumOf(found.requests, "failed") >= failed,
  );
  assert.equal(sumOf(requests, "failed"), failed);
  return requests.filter((row) => row.failed > 0 || row.slow === 0);
}

const failedOf = ({ requests, other_requests }: System): number =>
  sumOf(requests, "failed") + other_requests.failed;

const shown = (rows: readonly FailedOperation[]) =>
  rows.map(({ credential: { kind, name }, method, route, statuses }) => [
    kind,
    name,
    `${method} ${route}`,
    statuses,
  ]);

test("failures are listed by credential and operation, for their tenant only", async () => {
  const acme = await api.tenant();
  const rival = await api.tenant();
  const viewer = await acme.token(["records:read", "admin"]);
  const partner = await partnerOf(acme, { allowed_marketing_sources: ["Google"] });
  const owner = await ownerOf(api, acme, "owner@example.com");
  for (const _ of [1, 2, 3]) await viewer.get(`/crm/leads/${NOBODY}`);
  await viewer.get("/crm/leads/ann@example.com");
  await viewer.get("/crm/leads", { page_size: 0 });
  // Another operation than above, because operations are sorted by the number of their failed and slow requests.
  await viewer.get("/crm/contacts");
  await partner.post("/crm/partner/push", {});
  await owner.get(`/crm/leads/${NOBODY}`);
  await rival.get(`/crm/deals/${NOBODY}`);
  await acme.request({
    method: "GET",
    path: "/crm/leads",
    headers: { authorization: `Bearer lp_${"x".repeat(40)}` },
  });
  const requests = await failuresOf(acme, 7);
  assert.deepEqual(shown(requests), [
    ["token", "records:read admin", "GET /crm/leads/:lead_id", { 404: 4 }],
    ["partner", "Referrals Ltd", "POST /crm/partner/push", { 422: 1 }],
    ["person", "Ada Example", "GET /crm/leads/:lead_id", { 404: 1 }],
    ["token", "records:read admin", "GET /crm/leads", { 422: 1 }],
  ]);
  for (const { last_ts, last_date, average_ms, slowest_ms } of requests) {
    assert.ok(Math.abs(last_ts - machine.now_ms() / 1000) < 60);
    assert.equal(Date.parse(last_date) / 1000, last_ts);
    assert.ok(average_ms <= slowest_ms);
  }
  assert.ok(!JSON.stringify(requests).includes("ann@example.com"));
  assert.deepEqual(shown(await failuresOf(rival, 1)), [
    ["token", "Owner", "GET /crm/deals/:opportunity_id", { 404: 1 }],
  ]);
  // A revoked token is shown without a name.
  const id = requests[0]?.credential.id;
  ok(await acme.delete(`/crm/admin/access_tokens/${id}`));
  const [after] = (await systemOf(acme)).requests;
  assert.deepEqual(after?.credential, { kind: "token", id, name: null });
});

test("slow requests are listed, streams are not, and a request over the limit counts for its credential", async () => {
  const acme = await api.tenant();
  const made = { name: "Limited", permissions: ["records:write"], concurrency_limit: 1 };
  const { token } = ok(await acme.post("/crm/admin/access_tokens", made)).body;
  const limited = { headers: { authorization: `Bearer ${token}` } };
  const { _id } = ok(await acme.post("/crm/leads", { name: "Ada" })).body;
  const isLocked = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const locking = api.sql.begin(async (sql) => {
    await sql`select from leads where id = ${_id} for update`;
    isLocked.resolve();
    await release.promise;
  });
  await isLocked.promise;
  const path = `/crm/leads/${_id}`;
  const body = JSON.stringify({ name: "Ida" });
  const headers = { ...limited.headers, "content-type": "application/json" };
  const patched = acme.request({ method: "PATCH", path, headers, body });
  await untilLockWaits(api.sql, 1);
  const refused = await acme.request({ ...limited, method: "GET", path: "/crm/leads" });
  assert.equal(refused.status, 429);
  await sleep(SLOW_ms);
  release.resolve();
  ok(await patched);
  await locking;

  const { id } = ok(await acme.post("/crm/imports", { type: "lead", format: "ndjson" })).body;
  async function* slowly() {
    yield '{"name": "One"}\n';
    await sleep(SLOW_ms);
    yield '{"name": "Two"}\n';
  }
  const sent = await fetch(`${api.url}/crm/imports/${id}/data`, {
    method: "PUT",
    body: Readable.toWeb(Readable.from(slowly())) as never,
    duplex: "half",
    headers: { authorization: `Bearer ${acme.bearer}` },
  } as never);
  assert.equal(sent.status, 200, await sent.text());

  const { requests } = await eventually(
    () => systemOf(acme),
    (system) => failedOf(system) > 0 && sumOf(system.requests, "slow") > 0,
  );
  const ofLimited = requests.filter(({ credential }) => credential.name === "Limited");
  assert.deepEqual(
    ofLimited.map(({ route, statuses }) => [route, statuses]),
    [
      ["/crm/leads", { 429: 1 }],
      ["/crm/leads/:lead_id", {}],
    ],
  );
  const slow = ofLimited[1];
  assert.ok(slow?.slow === 1 && slow.slowest_ms >= SLOW_ms);
  assert.equal(slow.average_ms, slow.slowest_ms);
  assert.ok(requests.every(({ route }) => route !== "/crm/imports/:import_id/data"));
});

test("a flood of different failures takes a limited number of rows, and all are counted", async () => {
  const acme = await api.tenant();
  const document = await readDocument(acme);
  const paths = operationsOf(document).filter(
    ({ permission }) => permission !== "ssn:read" && permission !== "own",
  );
  const weak = [await acme.token(["ssn:read"]), await acme.token(["ssn:read"])];
  for (const client of weak) {
    for (const { method, path } of paths) {
      await client.request({ method, path: filled(path, () => NOBODY) });
    }
  }
  const sent = weak.length * paths.length;
  assert.ok(sent > 250, `${sent} requests`);
  const found = await eventually(
    () => systemOf(acme),
    (system) => failedOf(system) >= sent,
  );
  assert.equal(failedOf(found), sent);
  // Beyond the limit, slow requests have their own row.
  const minutes = await api.sql<{ rows: number }[]>`
    select count(*) filter (where credential <> '' or status >= 400)::int as rows
      from request_outcomes where tenant_id = ${acme.tenantId} group by minute_s`;
  for (const { rows } of minutes) assert.ok(rows <= 201, `${rows} rows`);
  assert.ok(found.requests.length <= 200 * minutes.length);
});

test("processes add up, and entries older than an hour are deleted", async (t) => {
  const acme = await api.tenant();
  const other = await startOwnApp(t, { url: api.databaseUrl, clock });
  const headers = { authorization: `Bearer ${acme.bearer}` };
  await fetch(`${other.url}/crm/leads/${NOBODY}`, { headers });
  await acme.get(`/crm/leads/${NOBODY}`);
  // An app saves its counts when it stops.
  await other.stop();
  assert.equal((await failuresOf(acme, 2)).length, 1);
  assert.equal(await deleteOldOutcomes(api.sql as never, clock), 0);
  ahead_ms = 3_700_000;
  assert.deepEqual(
    (await systemOf(acme)).requests.filter(({ failed }) => failed > 0),
    [],
  );
  assert.ok((await deleteOldOutcomes(api.sql, clock)) > 0);
  // A slow request may have been stored since.
  const [row] = await api.sql`
    select from request_outcomes
     where tenant_id = ${acme.tenantId} and status >= 400
       and minute_s < ${Math.floor(clock.now_ms() / 1000) - 3600}`;
  assert.equal(row, undefined);
  ahead_ms = 0;
});

test("requests are served as before if failures cannot be stored", async (t) => {
  const acme = await api.tenant();
  const other = await startOwnApp(t, { url: api.databaseUrl });
  await api.sql`alter table request_outcomes rename to request_outcomes_away`;
  const headers = { authorization: `Bearer ${acme.bearer}` };
  const statuses = async (path: string) => (await fetch(other.url + path, { headers })).status;
  assert.equal(await statuses(`/crm/leads/${NOBODY}`), 404);
  await eventually(other.log, (log) => log.includes("Storing failed and slow requests failed"));
  assert.equal(await statuses(`/crm/leads/${NOBODY}`), 404);
  assert.equal(await statuses("/crm/leads"), 200);
  await api.sql`alter table request_outcomes_away rename to request_outcomes`;
  assert.equal(await statuses(SYSTEM), 200);
});

test("only owners of the first tenant see the installation", async () => {
  const first = await api.tenant();
  const other = await api.tenant();
  assert.equal((await systemOf(first)).installation, null);
  await api.sql`insert into first_tenant (tenant_id) values (${first.tenantId})`;
  assert.equal((await systemOf(other)).installation, null);
  assert.equal((await systemOf(await first.token(["admin"]))).installation, null);
  assert.equal((await (await first.token(["records:read"])).get(SYSTEM)).status, 403);
  // It is not ready while the database takes more than 650 ms to respond to a check.
  const { installation } = await eventually(
    () => systemOf(first),
    (found) => found.installation?.status === "ready",
  );
  assert.ok(installation !== null);
  const { version, status, uptime_s, database, jobs, event_lag_s, event_webhooks } = installation;
  assert.match(version, /^\d+\.\d+\.\d+/);
  const { commit, schema_version } = installation;
  const readiness = await (await fetch(`${api.url}/readyz`)).json();
  assert.deepEqual(readiness, { status, version, commit, schema_version });
  const metrics = await (await fetch(`${api.url}/metrics`)).text();
  const build = `leadport_build_info{version="${version}",commit="${commit ?? ""}",schema_version="${schema_version}",`;
  assert.ok(metrics.includes(build), build);
  assert.equal(status, "ready");
  assert.ok(uptime_s >= 0 && event_lag_s >= 0);
  assert.match(database.version, /^\d+/);
  assert.equal(database.schema_version, schema_version);
  assert.ok(schema_version >= 23 && database.size_bytes > 1e6);
  assert.equal(database.disk_free_bytes, null);
  assert.deepEqual(
    jobs.map(({ kind }) => kind),
    ["event", "lead.imported", "event_replay", "rename"],
  );
  assert.deepEqual(event_webhooks, { enabled: 0, disabled: 0, paused: 0 });
  const page = await ownerOf(api, first, "first@example.com");
  await eventually(
    async () => ok(await page.get(SYSTEM)).body.installation.status,
    (status) => status === "ready",
  );
});
