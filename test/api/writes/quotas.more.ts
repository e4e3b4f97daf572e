/** Quotas: how much a tenant may store (docs/quotas.md). */

import assert from "node:assert/strict";
import { test } from "node:test";
import { importFile, prepare, send } from "../../files/imports/sending.ts";
import { partnerOf, somebody } from "../../exchange/exchange-kit.ts";
import type { Answer, Client } from "../../kit/api.ts";
import { eventually } from "../../kit/eventually.ts";
import { fileApi } from "../../kit/file-api.ts";
import { keyedWorld, READY, type Ready } from "../keys/keyed-samples.ts";
import { operationsOf, readDocument } from "../operations.ts";
import { startOwnApp } from "../own-app.ts";
import { applyQuota, countRecords, measure, measureAll } from "./quota-kit.ts";
import { ok, recordsIn, type Body } from "../samples.ts";

const api = await fileApi();
const { sql } = api;

/** Creates a tenant with `leads` leads. */
async function tenantWith(leads: number): Promise<Client> {
  const client = await api.tenant();
  const items = Array.from({ length: leads }, (_, at) => ({ name: `Lead ${at}` }));
  if (leads > 0) assert.equal((await client.post("/crm/leads/batch", { items })).status, 207);
  return client;
}

const pathOf = (lead: Body | undefined): string => `/crm/leads/${String(lead?.["_id"])}`;

/** Asserts that a response is the 403 for an exceeded quota. */
function isRefused(answer: Answer): void {
  assert.equal(answer.status, 403, answer.text);
  assert.match(answer.body.detail, /quota/);
}

test("every operation that would create a record returns 403 at the limit, and no other does", async () => {
  const acme = await api.tenant();
  const world = await keyedWorld(acme);
  const document = await readDocument(acme);
  const listed = [...operationsOf(document), ...operationsOf(document, "PartnerToken")];
  const ready: (Ready & { readonly id: string; readonly method: string })[] = [];
  for (const { id, method } of listed) {
    const request = await READY[id]?.(world);
    if (request !== undefined) ready.push({ id, method, ...request });
  }
  assert.ok(ready.length > 60);
  const sent = async ({ method, path, body, as = acme }: (typeof ready)[number]) => {
    const before = await countRecords(sql, acme);
    const headers = { "content-type": "application/json" };
    const answer = await as.request({ method, path, headers, body: JSON.stringify(body) });
    return { answer, added: (await countRecords(sql, acme)) - before };
  };
  await applyQuota(sql, acme, { max_records: 1 }, true);
  const refused = [];
  for (const one of ready) {
    const { answer, added } = await sent(one);
    assert.ok(added <= 0, `${one.id} created ${added} records`);
    const results: { status?: unknown; code?: unknown }[] = [answer.body].flat();
    const isOver =
      answer.status === 403 || results.some(({ status, code }) => status === 403 || code === 403);
    if (isOver) refused.push(one);
    else ok(answer.status === 207 ? { ...answer, status: 200 } : answer);
  }
  const words = refused.map(({ id }) => id);
  for (const id of [
    "create_lead",
    "create_leads",
    "put_opportunity_by_external_id",
    "convert_lead",
  ]) {
    assert.ok(words.includes(id), id);
  }
  await applyQuota(sql, acme, { max_records: 0 }, false);
  for (const one of refused) {
    const { answer, added } = await sent(one);
    assert.ok(answer.status < 300 && added > 0, `${one.id}: ${answer.text.slice(0, 300)}`);
  }
});

test("records are created up to the limit, and the 403 shows the figures", async () => {
  const acme = await tenantWith(997);
  const rival = await tenantWith(0);
  await applyQuota(sql, acme, { max_records: 1000 }, false);
  for (const name of ["One", "Two", "Three"]) ok(await acme.post("/crm/leads", { name }));
  const answer = await acme.post("/crm/leads", { name: "Four" });
  isRefused(answer);
  assert.deepEqual(answer.body, {
    detail:
      "The tenant stores 1,000 records; its quota is 1,000. Delete tasks, merge duplicates, or ask the " +
      "operator to raise the quota.",
    resource: "records",
    used: 1000,
    quota: 1000,
  });
  assert.equal(await countRecords(sql, acme), 1000);
  ok(await rival.post("/crm/leads", { name: "Another tenant's" }));
  const [lead] = recordsIn(await acme.get("/crm/leads"));
  ok(await acme.patch(pathOf(lead), { name: "Changed" }));
});

test("a merge and a deleted task free space at once", async () => {
  const acme = await tenantWith(2);
  const leads = recordsIn(await acme.get("/crm/leads"));
  const task = ok(await acme.post("/crm/tasks", { name: "Call" })).body;
  await applyQuota(sql, acme, { max_records: 3 }, true);
  ok(await acme.delete(`/crm/tasks/${task._id}`));
  ok(await acme.post("/crm/tasks", { name: "Call again" }));
  isRefused(await acme.post("/crm/tasks", { name: "And again" }));
  const merged = await acme.post(`${pathOf(leads[0])}/merge`, {
    ids: [leads[1]?.["_id"]],
  });
  const mergeId = ok(merged).headers.get("x-merge-id");
  ok(await acme.post("/crm/leads", { name: "New" }));
  isRefused(await acme.post(`${pathOf(leads[0])}/merges/${mergeId}/undo`, {}));
});

test("a request that fails in the end takes no space", async () => {
  const acme = await tenantWith(5);
  await applyQuota(sql, acme, { max_records: 10 }, false);
  const items = [{ name: "A" }, { name: "B" }, { name: "C", account_id: "0".repeat(24) }];
  for (let at = 0; at < 4; at++) {
    const failed = await acme.post("/crm/contacts/batch", { items, atomic: true });
    assert.equal(failed.status, 422, failed.text);
  }
  for (let at = 0; at < 5; at++) ok(await acme.post("/crm/leads", { name: "New" }));
  isRefused(await acme.post("/crm/leads", { name: "One more" }));
});

test("another process applies these writes from the next measurement on", async (t) => {
  const acme = await tenantWith(8);
  await applyQuota(sql, acme, { max_records: 10 }, false);
  const other = await startOwnApp(t, { url: api.databaseUrl });
  const create = async (url: string): Promise<number> => {
    const headers = { authorization: `Bearer ${acme.bearer}`, "content-type": "application/json" };
    const body = JSON.stringify({ name: "New" });
    return (await fetch(`${url}/crm/leads`, { method: "POST", headers, body })).status;
  };
  for (const url of [api.url, api.url, other.url, other.url]) assert.equal(await create(url), 200);
  assert.deepEqual([await create(api.url), await create(other.url)], [403, 403]);
  assert.equal(await countRecords(sql, acme), 12);

  // Records removed in other ways, such as by an operator, are counted until the next measurement.
  await sql`
    delete from leads
     where tenant_id = ${acme.tenantId}
       and id in (select id from leads where tenant_id = ${acme.tenantId} order by id limit 3)`;
  assert.deepEqual([await create(api.url), await create(other.url)], [403, 403]);
  // A rejection schedules the next measurement sooner than a write does, unless the last measurement took long.
  const isSooner = async () => {
    const [row] = await sql`
      select due_ms = measured_ms + greatest(10000, 100 * duration_ms) as is_sooner
        from tenant_usage where tenant_id = ${acme.tenantId}`;
    return row?.["is_sooner"];
  };
  await eventually(isSooner);
  await sql`update tenant_usage set due_ms = 1 where tenant_id = ${acme.tenantId}`;
  await measureAll(sql);
  await eventually(
    () => create(other.url),
    (status) => status === 200,
  );
  assert.equal(await countRecords(sql, acme), 10);
});

test("a batch creates the items that fit; an atomic one creates none", async () => {
  const acme = await tenantWith(7);
  await applyQuota(sql, acme, { max_records: 10 }, false);
  const items = [{ name: "A" }, { name: 5 }, { name: "B" }, { name: "C" }, { name: "D" }];
  const whole = await acme.post("/crm/leads/batch", {
    items: items.filter(({ name }) => name !== 5),
    atomic: true,
  });
  isRefused(whole);
  assert.deepEqual([whole.body.used, whole.body.quota], [7, 10]);
  assert.match(whole.body.detail, /Adding 4 more would exceed it/);
  assert.equal(await countRecords(sql, acme), 7);
  const { body } = await acme.post("/crm/leads/batch", { items });
  assert.deepEqual(
    body.map(({ status }: { status: number }) => status),
    [200, 422, 200, 200, 403],
  );
  assert.match(body[4].detail, /stores 10 records; its quota is 10/);
  assert.equal(await countRecords(sql, acme), 10);
});

test("an import stops before the chunk that does not fit, and continues when the quota is raised", async () => {
  const acme = await tenantWith(0);
  await applyQuota(sql, acme, { max_records: 1500 }, false);
  const rows = Array.from({ length: 2500 }, (_, at) => `Lead ${at},x${at}`);
  const content = ["name,external_id", ...rows].join("\n");
  const id = await prepare(acme, "leads");
  const answer = await send(acme, id, content);
  isRefused(answer);
  assert.match(answer.body.detail, /stores 1,000 records; its quota is 1,500\. Adding 1,000 more/);
  assert.equal(await countRecords(sql, acme), 1000);
  const { body } = await acme.get(`/crm/imports/${id}`);
  assert.deepEqual(
    [body.state, body.created, body.error],
    ["interrupted", 1000, answer.body.detail],
  );
  // A dry run stores no records, so it does not count toward the quota.
  await importFile(acme, "leads", "name\nA", { dry_run: true });
  await applyQuota(sql, acme, { max_records: 3000 }, false);
  const done = await eventually(
    () => send(acme, id, content),
    ({ status }) => status === 200,
  );
  assert.equal(done.body.created, 2500);
});

test("at MAX_BYTES creations, updates and pushes are rejected, and everything else works", async () => {
  const acme = await tenantWith(3);
  const partner = await partnerOf(acme);
  const pushed = await partner.push();
  const task = ok(await acme.post("/crm/tasks", { name: "Call" })).body;
  const [first, second] = recordsIn(await acme.get("/crm/leads"));
  const lead = pathOf(first);
  const { bytes } = await measure(sql, acme);
  await applyQuota(sql, acme, { max_bytes: Number(bytes) }, true);
  const answer = await acme.patch(lead, { name: "Changed" });
  isRefused(answer);
  assert.match(answer.body.detail, /^The tenant stores [\d.]+ KB; its quota is [\d.]+ KB/);
  assert.equal(answer.body.resource, "bytes");
  isRefused(await acme.post("/crm/leads", { name: "New" }));
  const push = await partner.request({
    method: "POST",
    path: "/crm/partner/push",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(somebody()),
  });
  isRefused(push);
  assert.deepEqual(Object.keys(push.body), ["detail"]);
  assert.doesNotMatch(push.body.detail, /\d/);
  ok(await acme.get("/crm/leads"));
  ok(await acme.post(`/crm/admin/pushed_leads/${pushed.id}/reject`, { reason: "No budget" }));
  ok(await acme.delete(`/crm/tasks/${task._id}`));
  ok(await acme.post(`${lead}/merge`, { ids: [second?.["_id"]] }));
  ok(await acme.get("/crm/leads/export"));
});

test("a tenant's administrator sees usage and quota, and cannot set them", async () => {
  const acme = await tenantWith(4);
  const none = { records: null, bytes: null, measured_ts: null, measured_date: null };
  assert.deepEqual(ok(await acme.get("/crm/admin/tenant/usage")).body, none);
  await applyQuota(sql, acme, { max_records: 10, max_bytes: 1024 ** 3 }, false);
  const { body } = ok(await acme.get("/crm/admin/tenant/usage"));
  assert.deepEqual(body.records, { used: 4, quota: 10 });
  assert.equal(body.bytes.quota, 1024 ** 3);
  assert.ok(Math.abs(body.measured_ts - Date.now() / 1000) < 60);
  assert.match(body.measured_date, /^\d{4}-\d\d-\d\dT/);
  for (const name of ["max_records", "max_bytes"]) {
    const answer = await acme.patch("/crm/admin/tenant", { [name]: 0 });
    assert.equal(answer.status, 422, answer.text);
  }
});

test("what a process estimates for its writes is close to what is measured", async () => {
  const acme = await tenantWith(1);
  const before = await measure(sql, acme);
  await applyQuota(sql, acme, { max_bytes: 1024 ** 4 }, false);
  const items = Array.from({ length: 500 }, (_, at) => ({
    name: `Lead ${at}`,
    comments: "A long comment. ".repeat(20),
    email: `lead${at}@example.com`,
  }));
  await acme.post("/crm/leads/batch", { items });
  const { bytes } = await measure(sql, acme);
  const each = (Number(bytes) - Number(before.bytes)) / 500;
  const [lead] = recordsIn(await acme.get("/crm/leads"));
  const text = JSON.stringify(lead).length;
  assert.ok(each > text && each < 4 * text, `${each} bytes for a body of ${text}`);
});

test("a large table is measured in parts, to the same result", async () => {
  const acme = await tenantWith(25);
  await importFile(acme, "leads", "name,email\nA,\nB,none\nC,none\nD,none");
  const whole = await measure(sql, acme);
  assert.ok(whole.records >= 26);
  for (const rowsAtOnce of [1, 2, 7, 25, 26]) {
    const { records, bytes } = await measure(sql, acme, { withBytes: true, rowsAtOnce });
    // Since the measurement, only the row in which the measurement is stored has changed.
    assert.equal(records, whole.records);
    assert.ok(Math.abs(Number(bytes) - Number(whole.bytes)) < 200, `${bytes} and ${whole.bytes}`);
  }
});

test("the worker measures tenants that wrote, and tenants that were never measured", async () => {
  const acme = await tenantWith(5);
  // Other tests have left tenants that become due later.
  await sql`update tenant_usage set due_ms = null`;
  await sql`delete from tenant_usage where tenant_id = ${acme.tenantId}`;
  await sql`update tenants set max_records = 10 where id = ${acme.tenantId}`;
  const usage = async () => {
    const [row] = await sql`
      select records::int, bytes, due_ms from tenant_usage where tenant_id = ${acme.tenantId}`;
    return row;
  };
  await measureAll(sql);
  assert.deepEqual({ ...(await usage()) }, { records: 5, bytes: null, due_ms: null });
  // The service marks the tenant as due after its response. A changed tenant is always marked.
  ok(await acme.patch("/crm/admin/tenant", { currency: "USD" }));
  ok(await acme.post("/crm/leads", { name: "New" }));
  await eventually(async () => (await usage())?.["due_ms"] !== null);
  await sql`update tenant_usage set due_ms = 1 where tenant_id = ${acme.tenantId}`;
  assert.ok((await measureAll(sql)) > 0);
  assert.deepEqual({ ...(await usage()) }, { records: 6, bytes: null, due_ms: null });
  assert.equal(await measureAll(sql), 0);
});
