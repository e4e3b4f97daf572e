/** After a tenant's `default_country` has changed, existing phone numbers keep their country code. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { assertCounts, importFile } from "../../files/imports/sending.ts";
import { importPushed, partnerOf } from "../../exchange/exchange-kit.ts";
import { sharedApi } from "../../kit/file-api.ts";
import { ok, type Body } from "../samples.ts";

const api = await sharedApi();
const acme = await api.tenant();
const LEADS = "/crm/leads";

const numbersIn = ({ phone, phone_list }: Body): unknown[] => [
  phone,
  ...(phone_list as Body[]).map((entry) => `${String(entry["type"])} ${String(entry["phone"])}`),
];
const create = async (body: Body): Promise<Body> =>
  ok(await acme.post(LEADS, { name: "Ada", ...body })).body as Body;
const pathOf = ({ _id }: Body) => `${LEADS}/${String(_id)}`;
const merge = (into: Body, from: Body) =>
  acme.post(`${pathOf(into)}/merge`, { ids: [from["_id"]] });

/** These numbers are written without a country code, and could also be German numbers. */
const first = "(415) 555-0100";
const second = "(415) 555-0101";

async function setCountry(default_country: string): Promise<void> {
  ok(await acme.patch("/crm/admin/tenant", { default_country }));
}

/** Creates leads while the tenant is in the United States, and moves the tenant to Germany. */
async function leadsFrom(...bodies: readonly Body[]): Promise<readonly Body[]> {
  await setCountry("US");
  const leads: Body[] = [];
  for (const body of bodies) leads.push(await create(body));
  await setCountry("DE");
  return leads;
}

test("a merge and its undo keep the numbers of both records", async () => {
  const [into = {}, from = {}] = await leadsFrom({ phone: first }, { phone: second });
  const merged = ok(await merge(into, from));
  assert.deepEqual(numbersIn(merged.body), [first, "Main 14155550100", "Other 14155550101"]);
  const undo = `${pathOf(into)}/merges/${merged.headers.get("x-merge-id")}/undo`;
  assert.deepEqual(ok(await acme.post(undo)).body.phone_list, into["phone_list"]);
  assert.deepEqual(ok(await acme.get(pathOf(from))).body.phone_list, from["phone_list"]);
});

test("a merge that fills an empty phone keeps the number that fills it", async () => {
  const [into = {}, from = {}] = await leadsFrom({}, { phone: first });
  const { phone, phone_list } = ok(await merge(into, from)).body;
  assert.deepEqual([phone, phone_list], [first, from["phone_list"]]);
});

test("an undo keeps the numbers of a merge that was made before", async () => {
  await setCountry("US");
  const into = await create({ phone: first });
  const from = await create({ phone: second });
  const merged = ok(await merge(into, from));
  await setCountry("DE");
  const undo = `${pathOf(into)}/merges/${merged.headers.get("x-merge-id")}/undo`;
  assert.deepEqual(ok(await acme.post(undo)).body.phone_list, into["phone_list"]);
});

test("a conversion keeps the numbers of the lead", async () => {
  const [lead = {}] = await leadsFrom({ phone: first, phone_list: [first, second] });
  const { contact_id } = ok(await acme.post(`${pathOf(lead)}/convert`, {})).body;
  const { phone, phone_list } = ok(await acme.get(`/crm/contacts/${contact_id}`)).body;
  assert.deepEqual([phone, phone_list], [first, lead["phone_list"]]);
});

test("a PATCH changes only the numbers that are new", async () => {
  const [lead = {}] = await leadsFrom({ phone: first });
  assert.deepEqual(ok(await acme.patch(pathOf(lead), lead)).body, lead);
  assert.deepEqual(ok(await acme.patch(pathOf(lead), { phone: first })).body, lead);
  const phone_list = [...(lead["phone_list"] as Body[]), { type: "Work", phone: "030 123456" }];
  const more = ok(await acme.patch(pathOf(lead), { phone: first, phone_list })).body;
  assert.deepEqual(numbersIn(more), [first, "Main 14155550100", "Work 4930123456"]);
  const others = ok(await acme.patch(pathOf(lead), { phone: first, phone_list: [] })).body;
  assert.deepEqual(numbersIn(others), [first, "Main 14155550100"]);
  const changed = ok(await acme.patch(pathOf(lead), { phone: "415 555 0100" })).body;
  assert.deepEqual(numbersIn(changed), ["415 555 0100", "Main 494155550100"]);
});

test("an import that adds a number keeps the main number", async () => {
  const external_id = "same row";
  const [lead = {}] = await leadsFrom({ phone: first, external_id });
  const file = `Key,Name,Phone,Phone 2\n${external_id},Ada,${first},030 123456\n`;
  for (const counts of [{ updated: 1 }, { unchanged: 1 }]) {
    const done = await importFile(acme, "leads", file, { mode: "upsert", external_id: "Key" });
    assertCounts(done, { rows: 1, ...counts });
    const record = ok(await acme.get(pathOf(lead))).body;
    assert.deepEqual(numbersIn(record), [first, "Main 14155550100", "Other 4930123456"]);
  }
});

test("an import of a pushed lead keeps the number that the partner sent", async () => {
  const partner = await partnerOf(acme);
  const pushed = [];
  await setCountry("US");
  const phones = [`${first} ext. 5`, "49 30 12345678"];
  for (const phone of phones) pushed.push(await partner.push({ phone }));
  await setCountry("DE");
  const leads = [];
  for (const { id } of pushed) leads.push(await importPushed(acme, id));
  assert.deepEqual(leads.map(numbersIn), [
    [phones[0], "Main 14155550100"],
    [phones[1], "Main 493012345678"],
  ]);
  const [lead = {}] = leads;
  const [entry] = lead["phone_list"] as Body[];
  assert.equal(entry?.["formatted_phone"], "(415) 555-0100 ext. 5");
});
