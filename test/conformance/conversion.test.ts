/** Converting leads to contacts, and reading records by id. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { ALL_TYPES, NOBODY, account, contact, deal, lead } from "./cases.ts";
import { assertBlames, assertRefused, create, idsOf, read, recordOf } from "./checks.ts";
import { sharedApi } from "../kit/file-api.ts";

const api = await sharedApi();
const idsIn = (text: string) => [...new Set(text.match(/\b[0-9a-f]{24}\b/g))].toSorted();

// docs/records.md
test("every record type is read by its id", async () => {
  const acme = await api.tenant();
  for (const type of ALL_TYPES) {
    const made = await create(acme, type);
    assert.deepEqual(recordOf(await acme.get(`${type.list}/${made["_id"]}`)), made);
  }
});

// docs/records.md#conversion
test("converting a lead creates a contact of the same person", async () => {
  const acme = await api.tenant();
  const fields = { email: "ada@example.com", phone: "2025550123", source: "Yelp", tags: ["x"] };
  const person = await create(acme, lead, { ...fields, ssn: "123-45-6789" });
  assert.equal(person["converted_to_contact"], false);
  recordOf(await acme.post(`/crm/leads/${person["_id"]}/convert`, {}));
  const after_ = await read(acme, lead, person["_id"]);
  assert.equal(after_["converted_to_contact"], true);
  const made = await read(acme, contact, after_["contact_id"]);
  assert.equal(made["source_lead_id"], person["_id"]);
  for (const [field, value] of Object.entries({ name: person["name"], ...fields })) {
    assert.deepEqual(made[field], value, field);
  }
  assert.equal(made["ssn"], "***-**-6789");
});

// docs/records.md#conversion
test("a second conversion returns the same ids and creates nothing", async () => {
  const acme = await api.tenant();
  const { _id } = await create(acme, lead);
  const body = { account: { name: "Example Mills" }, deal: { name: "Looms" } };
  const first = await acme.post(`/crm/leads/${_id}/convert`, body);
  recordOf(first);
  const second = await acme.post(`/crm/leads/${_id}/convert`, body);
  recordOf(second);
  assert.deepEqual(idsIn(second.text), idsIn(first.text));
  for (const type of [contact, account, deal]) {
    assert.equal(idsOf(await acme.get(type.list)).length, 1, type.name);
  }
});

// docs/records.md#conversion
test("the contact belongs to the given or created account, and the deal to both", async () => {
  const acme = await api.tenant();
  const payer = await create(acme, account);
  const one = await create(acme, lead);
  recordOf(await acme.post(`/crm/leads/${one["_id"]}/convert`, { account_id: payer["_id"] }));
  const { contact_id } = await read(acme, lead, one["_id"]);
  assert.equal((await read(acme, contact, contact_id))["account_id"], payer["_id"]);
  const two = await create(acme, lead);
  const body = { account: { name: "New Mills" }, deal: { name: "Looms", value_of_sale: 5 } };
  recordOf(await acme.post(`/crm/leads/${two["_id"]}/convert`, body));
  const [made] = idsOf(await acme.get("/crm/deals"));
  const looms = await read(acme, deal, made!);
  assert.deepEqual([looms["name"], looms["value_of_sale"]], ["Looms", 5]);
  assert.equal(looms["account_name"], "New Mills");
  assert.equal(looms["contact_id"], (await read(acme, lead, two["_id"]))["contact_id"]);
});

// docs/records.md#conversion
test("an invalid conversion creates nothing", async () => {
  const acme = await api.tenant();
  const { _id } = await create(acme, lead);
  const path = `/crm/leads/${_id}/convert`;
  assertBlames(await acme.post(path, { account_id: NOBODY }), "body", "account_id");
  assertBlames(await acme.post(path, { account: {} }), "body", "account");
  assertBlames(await acme.post(path, { account: { name: "X" }, deal: { stage: "z" } }), "body");
  assertBlames(await acme.post(path, { nick: 1 }), "body", "nick");
  for (const type of [contact, account, deal])
    assert.deepEqual(idsOf(await acme.get(type.list)), []);
  assert.equal((await read(acme, lead, _id))["converted_to_contact"], false);
  assertRefused(await acme.post(`/crm/leads/${NOBODY}/convert`, {}), 404);
});
