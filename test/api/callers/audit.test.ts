/** Audit entries: each entry is added in the same transaction as the change, so a failed change adds no entry. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { BUILT_IN_TYPES } from "../../../src/records/types/index.ts";
import type { Client } from "../../kit/api.ts";
import { fileApi } from "../../kit/file-api.ts";
import { fullBody, makeReferable, ok, sampleOf, type Body } from "../samples.ts";

const api = await fileApi();
const acme = await api.tenant();
const refs = await makeReferable(acme);

const AUDIT = "/crm/admin/audit";
const audit = async (query: Body, client: Client = acme): Promise<Body[]> =>
  ok(await client.get(AUDIT, query)).body;

async function entries(): Promise<number> {
  const [row] = await api.sql`select count(*)::int as count from changes`;
  return Number(row?.["count"]);
}

for (const type of Object.values(BUILT_IN_TYPES)) {
  test(`a ${type.name} leaves one entry for each change, with old and new values`, async () => {
    const headers = { "content-type": "application/json", "x-request-id": `made-${type.name}` };
    const body = JSON.stringify(fullBody(type, 4, refs));
    const made = ok(
      await acme.request({ method: "POST", path: type.writePath, headers, body }),
    ).body;
    const { fields, frozen = [] } = type;
    const changeable = Object.keys(fields).filter((name) => !frozen.includes(name));
    const name = changeable.find((name) => fields[name]?.kind !== "reference") ?? "";
    const value = sampleOf(name, type.fields[name] as never, 6, refs);
    ok(await acme.patch(`${type.writePath}/${made._id}`, { [name]: value }));
    ok(await acme.patch(`${type.writePath}/${made._id}`, { [name]: value }));
    const [changed, created, ...more] = await audit({ subject_id: made._id });
    assert.deepEqual(more, []);
    assert.deepEqual([created?.["action"], changed?.["action"]], ["created", "updated"]);
    assert.deepEqual([created?.["version"], changed?.["version"]], [1, 2]);
    assert.equal(created?.["request_id"], `made-${type.name}`);
    assert.equal(created?.["subject_type"], type.name);
    assert.deepEqual((changed as { fields: Body }).fields[name], { old: made[name], new: value });
    const told = created?.["fields"] as Record<string, { old: unknown; new: unknown }>;
    for (const [field, { old, new: now }] of Object.entries(told)) {
      assert.equal(old, null);
      assert.deepEqual(now, made[field], field);
    }
    const history = ok(await acme.get(`${type.readPaths[0]}/${made._id}/history`)).body;
    assert.deepEqual(history, [changed, created]);
  });

  test(`a rejected write of a ${type.name} leaves no entry`, async () => {
    const sent = { ...fullBody(type, 8, refs), external_id: `audited ${type.name}` };
    const made = ok(await acme.post(type.writePath, sent)).body;
    const before = await entries();
    const again = await acme.post(type.writePath, sent);
    assert.equal(again.status, 409);
    assert.equal(again.body.existing_id, made._id);
    assert.equal((await acme.post(type.writePath, { nonsense: 1 })).status, 422);
    assert.equal((await acme.patch(`${type.writePath}/${made._id}`, {})).status, 400);
    assert.equal((await acme.patch(`${type.writePath}/${made._id}`, { nonsense: 1 })).status, 422);
    assert.equal(
      (await acme.patch(`${type.writePath}/${"0".repeat(24)}`, { external_id: "x" })).status,
      404,
    );
    assert.equal(await entries(), before);
  });
}

test("a change that cannot be logged is not made", async () => {
  const { _id } = ok(await acme.post("/crm/leads", { name: "Before" })).body;
  await api.sql`alter table changes add constraint none check (action <> 'updated') not valid`;
  const failed = await acme.patch(`/crm/leads/${_id}`, { name: "After" });
  await api.sql`alter table changes drop constraint none`;
  assert.equal(failed.status, 500);
  assert.deepEqual(Object.keys(failed.body).toSorted(), ["detail", "request_id"]);
  assert.equal(ok(await acme.get(`/crm/leads/${_id}`)).body.name, "Before");
});

test("the entry of a deletion shows the deleted values", async () => {
  const { _id } = ok(await acme.post("/crm/tasks", { name: "Call", tags: ["a"] })).body;
  ok(await acme.delete(`/crm/tasks/${_id}`));
  const [entry] = await audit({ subject_id: _id });
  assert.equal(entry?.["action"], "deleted");
  assert.deepEqual((entry as { fields: Body }).fields["name"], { old: "Call", new: null });
});

test("every entry masks social security numbers, and each reveal leaves an entry", async () => {
  const { _id } = ok(await acme.post("/crm/leads", { name: "A", ssn: "111-22-3333" })).body;
  ok(await acme.patch(`/crm/leads/${_id}`, { ssn: "999-88-3333" }));
  assert.equal(ok(await acme.get(`/crm/leads/${_id}?reveal=ssn`)).body.ssn, "999-88-3333");
  const [revealed, changed, ...rest] = await audit({ subject_id: _id });
  assert.equal(revealed?.["action"], "revealed");
  assert.deepEqual(changed?.["fields"], { ssn: { old: "***-**-3333", new: "***-**-3333" } });
  assert.equal(rest.length, 1);
  assert.doesNotMatch(
    JSON.stringify(await audit({ page_size: 500 })),
    /111-?22-?3333|999-?88-?3333/,
  );
});

test("tokens and the tenant's settings leave entries", async () => {
  const token = ok(
    await acme.post("/crm/admin/access_tokens", { name: "T", permissions: ["admin"] }),
  ).body;
  ok(await acme.delete(`/crm/admin/access_tokens/${token.id}`));
  const actions = (await audit({ subject_id: token.id })).map(({ action }) => action);
  assert.deepEqual(actions, ["deleted", "created"]);
  const { currency } = ok(await acme.get("/crm/admin/tenant")).body;
  ok(await acme.patch("/crm/admin/tenant", { currency: "EUR" }));
  ok(await acme.patch("/crm/admin/tenant", { currency: "EUR" }));
  const [entry, ...more] = await audit({ subject_type: "tenant", action: "updated" });
  assert.deepEqual(entry?.["fields"], { currency: { old: currency, new: "EUR" } });
  assert.deepEqual(more, []);
});

test("the audit log can be filtered and paged without gaps", async () => {
  const client = await api.tenant();
  for (let at = 0; at < 7; at++) ok(await client.post("/crm/leads", { name: `L${at}` }));
  const all = await audit({ page_size: 500 }, client);
  assert.deepEqual(
    all.map(({ id }) => id),
    all
      .map(({ id }) => String(id))
      .toSorted()
      .toReversed(),
  );
  const seen: Body[] = [];
  for (let answer = ok(await client.get(AUDIT, { page_size: 3 })); ;) {
    seen.push(...(answer.body as Body[]));
    const next = /<([^>]*)>/.exec(answer.headers.get("link") ?? "")?.[1];
    if (next === undefined) break;
    answer = ok(await client.get(next));
  }
  assert.deepEqual(seen, all);
  assert.deepEqual(await audit({ page_size: 3, page_num: 2 }, client), all.slice(3, 6));
  const leads = await audit({ subject_type: "lead", action: "created", page_size: 500 }, client);
  assert.equal(leads.length, 7);
  assert.deepEqual(await audit({ actor_id: "nobody" }, client), []);
  assert.deepEqual(await audit({ end_date: "2020-01-01" }, client), []);
  assert.deepEqual(await audit({ start_date: "2020-01-01", page_size: 500 }, client), all);
  const both = await client.get(AUDIT, { cursor: String(all[0]?.["id"]), page_num: 2 });
  assert.equal(both.status, 422);
});
