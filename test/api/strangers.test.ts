/**
 * A stranger's token on every operation there is, a person's and a partner's (D9.1): nothing seen,
 * nothing changed, nothing told.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { recordTypes } from "../../src/records/index.ts";
import { partnerOf } from "../exchange/partner-kit.ts";
import { fileApi } from "../kit/file-api.ts";
import { filled, leastOf, operationsOf, readDocument, type ListedOperation } from "./operations.ts";
import { fullBody, makeReferable, ok } from "./samples.ts";

const api = await fileApi();
const [acme, rival] = [await api.tenant(), await api.tenant()];
const document = await readDocument(acme);
const forTokens = operationsOf(document);
const forPartners = operationsOf(document, "PartnerToken");
const operations = [...forTokens, ...forPartners];
/** A key is no id: what has it is made where there is nothing, so a stranger makes its own. */
const byKey = operations.filter(({ path }) => path.includes("/by/"));
const byId = operations.filter(({ names, path }) => names.length > 0 && !path.includes("/by/"));
const byNothing = operations.filter(({ names }) => names.length === 0);

/** What belongs to Acme, by the name of the path parameter that names it. */
const owned: Record<string, string> = {};
const refs = await makeReferable(acme);
const keys: Record<string, string> = {};
for (const type of recordTypes) {
  const sent = fullBody(type, 3, refs);
  owned[type.idName] = ok(await acme.post(type.writePath, sent)).body._id;
  for (const name of ["email", "phone", "external_id"]) {
    if (name in sent) keys[name] = String(sent[name]);
  }
}
const twin = ok(await acme.post("/crm/leads", { name: "Twin" })).body._id;
const merging = await acme.post(`/crm/leads/${owned["lead_id"]}/merge`, { ids: [twin] });
owned["merge_id"] = ok(merging).headers.get("x-merge-id") ?? "";
const sources = { allowed_marketing_sources: ["Google"] };
const pushing = await partnerOf(acme, sources);
owned["partner_id"] = pushing.partner_id;
const person = { name: "Pushed", email: "pushed@example.com" };
owned["pushed_lead_id"] = ok(await pushing.post("/crm/partner/push", person)).body.id;
const hook = { enabled: true, url: "http://127.0.0.1:1/", timeout_s: 1 };
ok(await acme.put("/crm/admin/import_webhook", hook));
const sold = { name: "Sold", email: "sold@example.com" };
const { id: sold_id } = ok(await pushing.post("/crm/partner/push", sold)).body;
for (const action of ["accept", "import"]) {
  ok(await acme.post("/crm/admin/pushed_leads/batch", { ids: [sold_id], action }));
}
owned["delivery_id"] = ok(await acme.get("/crm/admin/deliveries")).body[0].id;
const told = { url: "https://hooks.example.com/", events: ["lead.created"] };
owned["webhook_id"] = ok(await acme.post("/crm/webhooks", told)).body.id;
const toldOwn = { ...told, events: ["pushed_lead.*"] };
owned["partner_webhook_id"] = ok(await pushing.post("/crm/partner/webhooks", toldOwn)).body.id;
const invited = { name: "Invited", email: "invited@example.com", role: "viewer" };
owned["person_id"] = ok(await acme.post("/crm/admin/people", invited)).body.id;
const rivalPartner = await partnerOf(rival, sources);
for (const { method, path, names, body } of forTokens) {
  if (method !== "POST" || names.length > 0 || body === undefined) continue;
  const below = forTokens.find((other) => other.path.startsWith(`${path}/{`));
  const [name] = below?.names ?? [];
  if (name === undefined || name in owned) continue;
  owned[name] = ok(await acme.post(path, leastOf(document, body.schema))).body.id;
}

/** Everything that is Acme's, as the database holds it; times of last use and counts aside. */
async function everything(): Promise<unknown> {
  const tables = await api.sql`
    select table_name from information_schema.columns
     where table_schema = 'public' and column_name = 'tenant_id'
       and table_name not in ('request_counts', 'request_outcomes') order by 1`;
  const found: Record<string, unknown> = {};
  for (const { table_name } of tables) {
    const rows = await api.sql`
      select to_jsonb(t) - 'last_used_ts' as row from ${api.sql(String(table_name))} t
       where t.tenant_id = ${acme.tenantId} order by 1`;
    found[String(table_name)] = rows.map(({ row }) => row as unknown);
  }
  return found;
}

const MISSING = "6b00a22b870ca000ec6e9532";

function attempt(operation: ListedOperation, idOf: (name: string) => string) {
  const { method, path, body } = operation;
  const stranger = forPartners.includes(operation) ? rivalPartner : rival;
  return stranger.request({
    method,
    path: filled(path, idOf),
    ...(body !== undefined && {
      headers: { "content-type": body.type },
      body: body.type === "application/json" ? JSON.stringify(leastOf(document, body.schema)) : "x",
    }),
  });
}

test("every path parameter names something of Acme's here", () => {
  const named = [
    ...byId.flatMap(({ names }) => names.map((name) => [name, owned[name]])),
    ...byKey.flatMap(({ names }) => names.map((name) => [name, keys[name]])),
  ];
  assert.deepEqual(
    named.filter(([, value]) => value === undefined),
    [],
  );
});

for (const operation of byId) {
  test(`${operation.method} ${operation.path} tells a stranger what it tells of nothing`, async () => {
    const before = await everything();
    const theirs = await attempt(operation, (name) => owned[name] ?? "");
    const missing = await attempt(operation, () => MISSING);
    assert.equal(theirs.status, 404, theirs.text);
    assert.equal(missing.status, 404, missing.text);
    assert.deepEqual(theirs.body, missing.body);
    assert.deepEqual(await everything(), before);
    if (operation.path.endsWith("/{lead_id}")) {
      assert.equal((await rival.get(`/crm/leads/${owned["lead_id"]}?reveal=ssn`)).status, 404);
    }
  });
}

for (const operation of [...byNothing, ...byKey]) {
  test(`${operation.method} ${operation.path} shows a stranger nothing and changes nothing`, async () => {
    const before = await everything();
    const answer = await attempt(operation, (name) => encodeURIComponent(keys[name] ?? ""));
    assert.ok(answer.status < 500, answer.text);
    for (const secret of [...Object.values(owned), acme.tenantId, acme.personId]) {
      assert.ok(!answer.text.includes(secret), `${secret} in ${answer.text.slice(0, 500)}`);
    }
    assert.deepEqual(await everything(), before);
  });
}
