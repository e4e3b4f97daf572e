/** Retention periods, and erased people who cannot be pushed again. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { createRetention } from "../../src/privacy/retention.ts";
import { systemClock } from "../../src/platform/clock/index.ts";
import { idSource } from "../../src/platform/ids/ids.ts";
import { fileApi } from "../kit/file-api.ts";
import { atEnd } from "../kit/started.ts";
import { ok } from "../api/samples.ts";
import { partnerOf } from "../exchange/partner-kit.ts";
import { importFile } from "../files/imports/sending.ts";
import { eraseAll, report } from "./person-requests.ts";

const clock = { ahead_ms: 0, now_ms: () => Date.now() + clock.ahead_ms };
const api = await fileApi({ clock });
const PRIVACY = "/crm/admin/privacy";
const DAY_ms = 86_400_000;

/** Applies the retention periods as a worker would in `days` days. */
async function applyAfter(days: number): Promise<void> {
  const later = { ...systemClock(), now_ms: () => Date.now() + days * DAY_ms };
  const work = createRetention(api.sql, { clock: later, makeId: idSource(later) });
  while (await work());
}

test("settings are stored with defaults, checked, and logged", async () => {
  const client = await api.tenant();
  const none = ok(await client.get(PRIVACY)).body;
  assert.deepEqual([none.history_days, none.block_erased, none.updated_ts], [null, false, null]);
  const set = ok(await client.put(PRIVACY, { history_days: 90, block_erased: true })).body;
  assert.deepEqual([set.history_days, set.audit_days, set.block_erased], [90, null, true]);
  // The settings can be sent back as read.
  assert.deepEqual(ok(await client.put(PRIVACY, set)).body, set);
  assert.equal((await client.put(PRIVACY, { history_days: 29 })).status, 422);
  assert.equal((await client.put(PRIVACY, { unknown: 1 })).status, 422);
  const audit = ok(await client.get("/crm/admin/audit", { subject_type: "privacy" })).body;
  assert.equal(audit.length, 1);
  assert.deepEqual(audit[0].fields.history_days, { old: null, new: 90 });
});

test("history, audit and rejected rows are removed after their time, and only then", async () => {
  const client = await api.tenant();
  const { _id } = ok(await client.post("/crm/leads", { name: "Kept" })).body;
  ok(await client.patch("/crm/admin/tenant", { timezone: "Europe/Paris" }));
  await importFile(client, "lead", "name,status\nRejected,nonsense\n", { strict: true });
  const counts = async () => {
    const [row] = await api.sql`
      select (select count(*)::int from changes
               where tenant_id = ${client.tenantId} and subject_type = 'lead') as history,
             (select count(*)::int from changes
               where tenant_id = ${client.tenantId} and subject_type = 'tenant') as audit,
             (select count(*)::int from import_rejects where tenant_id = ${client.tenantId}) as rejects`;
    return row;
  };
  const before = await counts();
  ok(await client.put(PRIVACY, { history_days: 30 }));
  await applyAfter(29);
  assert.deepEqual(await counts(), before);
  await applyAfter(31);
  assert.deepEqual(await counts(), { ...before, history: 0 });
  // The record is still there, and the feed continues.
  ok(await client.get(`/crm/leads/${_id}`));
  assert.equal((await client.get(`/crm/leads/${_id}/history`)).body.length, 0);
  assert.equal((await client.get("/crm/changes", { since: "now" })).status, 200);
  ok(await client.put(PRIVACY, { audit_days: 365, rejected_rows_days: 7 }));
  await applyAfter(8);
  assert.equal((await counts())?.["rejects"], 0);
  assert.equal((await counts())?.["audit"], before?.["audit"]);
  await applyAfter(366);
  assert.equal((await counts())?.["audit"], 0);
});

test("a tenant for which retention fails does not hold up others", async () => {
  const broken = await api.tenant();
  const fine = await api.tenant();
  for (const client of [broken, fine]) {
    ok(await client.post("/crm/leads", { name: "Old" }));
    ok(await client.put(PRIVACY, { history_days: 30 }));
  }
  const trigger = `refuse_${broken.tenantId.replaceAll("-", "")}`;
  await api.sql.unsafe(`
    create function ${trigger}() returns trigger language plpgsql as
      $$ begin raise exception 'refused'; end $$;
    create trigger ${trigger} before delete on changes for each row
      when (old.tenant_id = '${broken.tenantId}') execute function ${trigger}()`);
  const later = { ...systemClock(), now_ms: () => Date.now() + 31 * DAY_ms };
  const work = createRetention(api.sql, { clock: later, makeId: idSource(later) });
  let failures = 0;
  const workOn = () =>
    work().catch(() => {
      failures++;
      return true;
    });
  while (await workOn());
  assert.equal(failures, 1);
  const left = await api.sql`
    select from changes where tenant_id = ${fine.tenantId} and subject_type = 'lead'`;
  assert.equal(left.count, 0);
  await api.sql.unsafe(`drop function ${trigger} cascade`);
});

test("rejected and expired pushes are erased after their time, and still counted", async () => {
  const client = await api.tenant();
  const partner = await partnerOf(client, { allowed_marketing_sources: ["Google"] });
  const push = async (name: string) =>
    ok(await partner.post("/crm/partner/push", { name, email: `${name}@example.org` })).body.id;
  const rejected = await push("rejected");
  const pending = await push("pending");
  ok(await client.post(`/crm/admin/pushed_leads/${rejected}/reject`, { reason: "No" }));
  const before = ok(await client.get("/crm/admin/analytics")).body;
  ok(await client.put(PRIVACY, { rejected_pushes_days: 10, expired_pushes_days: 10 }));
  await applyAfter(9);
  ok(await client.get(`/crm/admin/pushed_leads/${rejected}`));
  await applyAfter(11);
  assert.equal((await client.get(`/crm/admin/pushed_leads/${rejected}`)).status, 404);
  ok(await client.get(`/crm/admin/pushed_leads/${pending}`));
  assert.deepEqual(ok(await client.get("/crm/admin/analytics")).body, before);
  const rows = await api.sql`
    select from changes where tenant_id = ${client.tenantId} and fields::text like '%rejected@%'`;
  assert.equal(rows.count, 0);
});

test("a rejected lead is retained for its full period after the decision, even if its history is removed earlier", async (t) => {
  atEnd(t, () => (clock.ahead_ms = 0));
  clock.ahead_ms = -60 * DAY_ms;
  const client = await api.tenant();
  const partner = await partnerOf(client, { allowed_marketing_sources: ["Google"] });
  const late = { name: "Late", email: "late@example.org" };
  const { id } = ok(await partner.post("/crm/partner/push", late)).body;
  clock.ahead_ms = 0;
  const path = `/crm/admin/pushed_leads/${id}`;
  ok(await client.post(`${path}/reject`, { reason: "No" }));
  ok(await client.put(PRIVACY, { history_days: 30, rejected_pushes_days: 90 }));
  const actions = async () => {
    const rows = await api.sql`select action from changes where subject_id = ${id} order by id`;
    return rows.map(({ action }) => action as string);
  };
  await applyAfter(40);
  ok(await client.get(path));
  assert.deepEqual(await actions(), ["rejected"]);
  await applyAfter(91);
  assert.equal((await client.get(path)).status, 404);
  await applyAfter(92);
  assert.deepEqual(await actions(), ["erased"]);
});

test("an erased person can be pushed again, unless the tenant blocks that", async () => {
  const client = await api.tenant();
  const partner = await partnerOf(client, { allowed_marketing_sources: ["Google"] });
  const person = { name: "Gone Girl", email: "gone@example.org", phone: "(415) 555-0199" };
  const erase = async () =>
    ok(await eraseAll(client, await report(client, { email: person.email })));
  ok(await partner.post("/crm/partner/push", person));
  await erase();
  ok(await partner.post("/crm/partner/push", person));
  ok(await client.put(PRIVACY, { block_erased: true }));
  await erase();
  const refused = await partner.post("/crm/partner/push", { ...person, phone: null });
  assert.equal(refused.status, 409);
  assert.match(refused.body.detail, /erased/);
  assert.equal(refused.body.reason, "erased");
  const byPhone = { name: "Other Name", phone: "+1 415 555 0199" };
  assert.equal((await partner.post("/crm/partner/push", byPhone)).status, 409);
  // Other people can still be pushed, even by a partner whose leads are accepted automatically.
  const other = { name: "Still Here", email: "here@example.org", phone: "(415) 555-0123" };
  assert.equal(ok(await partner.post("/crm/partner/push", other)).body.status, "pending");
  const trusted = await partnerOf(client, { auto_accept: true });
  const another = { name: "Here Too", email: "too@example.org" };
  assert.equal(ok(await trusted.post("/crm/partner/push", another)).body.status, "accepted");
  assert.equal((await trusted.post("/crm/partner/push", byPhone)).body.reason, "erased");
  ok(await client.put(PRIVACY, { block_erased: false }));
  ok(await partner.post("/crm/partner/push", person));
});
