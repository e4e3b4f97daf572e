/** Attribution: a person is attributed to the partner whose lead was imported first. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { sharedApi } from "../../kit/file-api.ts";
import { ok, recordsIn, type Body } from "../../api/samples.ts";
import { assertCounts, importFile } from "../../files/imports/sending.ts";
import type { Client } from "../../kit/api.ts";
import { decide, importPushed, partnerOf, type TestPartner } from "../exchange-kit.ts";

const api = await sharedApi();
const EMAIL = "Ada@Example.com";
const PHONE = "(555) 555-0100";
const WAYS = { email: EMAIL, phone: PHONE };

const contactOf = async (client: Client, fields: Body = {}): Promise<Body> =>
  ok(await client.post("/crm/contacts", { name: "Ada Example", ...fields })).body;

const ownerOf = ({ partner_id, pushed_lead_id }: Body) => ({ partner_id, pushed_lead_id });
const NONE = { partner_id: null, pushed_lead_id: null };

/** Creates a tenant and a partner whose imported lead is the first lead for a person. */
async function brought(fields: Body = WAYS) {
  const acme = await api.tenant();
  const partner = await partnerOf(acme);
  const { id } = await partner.push(fields);
  const lead = await importPushed(acme, id);
  return { acme, partner, lead, own: { partner_id: partner.partner_id, pushed_lead_id: id } };
}

test("an imported lead has its partner and its pushed lead", async () => {
  const { lead, own } = await brought();
  assert.deepEqual(ownerOf(lead), own);
});

test("a contact converted from the lead has both, with the preferences", async () => {
  const { acme, lead, own } = await brought({ ...WAYS, match_preferences: { city: "Leeds" } });
  const { contact_id } = ok(await acme.post(`/crm/leads/${String(lead["_id"])}/convert`)).body;
  const contact = ok(await acme.get(`/crm/contacts/${contact_id}`)).body;
  assert.deepEqual(ownerOf(contact), own);
  assert.deepEqual(contact.match_preferences_dict, { city: "Leeds" });
});

test("a lead whose email and number were changed still converts to its partner's contact", async () => {
  const { acme, lead, own } = await brought();
  const path = `/crm/leads/${String(lead["_id"])}`;
  ok(await acme.patch(path, { email: "new@example.com", phone: "555 555 0777" }));
  const { contact_id } = ok(await acme.post(`${path}/convert`)).body;
  assert.deepEqual(ownerOf(ok(await acme.get(`/crm/contacts/${contact_id}`)).body), own);
});

test("a lead that no partner brought converts to a contact without a partner", async () => {
  const { acme } = await brought();
  const { _id } = ok(await acme.post("/crm/leads", { name: "B", email: "b@example.com" })).body;
  const { contact_id } = ok(await acme.post(`/crm/leads/${_id}/convert`)).body;
  assert.deepEqual(ownerOf(ok(await acme.get(`/crm/contacts/${contact_id}`)).body), NONE);
});

/** Ways in which a later contact can match the person: by email or phone number. */
const SAME: readonly Body[] = [
  { email: "ADA@example.COM" },
  { email: " ada@example.com " },
  { phone: "+1 555 555 0100" },
  { phone: "555.555.0100" },
  { email: "ada@example.com", phone: "555 555 0999" },
  { email: "else@example.com", phone: "5555550100" },
];

for (const fields of SAME) {
  test(`a contact created later as ${JSON.stringify(fields)} is the partner's`, async () => {
    const { acme, own } = await brought();
    assert.deepEqual(ownerOf(await contactOf(acme, fields)), own);
  });
}

const OTHERS: readonly Body[] = [
  {},
  { email: "other@example.com" },
  { phone: "555 555 0999" },
  { name: "Ada Example" },
  { email: "n/a", phone: "unknown" },
];

for (const fields of OTHERS) {
  test(`a contact created later as ${JSON.stringify(fields)} has no partner`, async () => {
    const { acme } = await brought({ email: EMAIL, phone: "unknown" });
    assert.deepEqual(ownerOf(await contactOf(acme, fields)), NONE);
  });
}

test("imported contacts are the partner's like any others", async () => {
  const { acme, own } = await brought();
  const csv = [
    "name,email,phone",
    "Ada One,aDa@example.com,",
    "Ada Two,,+15555550100",
    "Nobody,nobody@example.com,",
  ].join("\n");
  assertCounts(await importFile(acme, "contact", csv), { rows: 3, created: 3 });
  const contacts = recordsIn(ok(await acme.get("/crm/contacts")));
  const owners = new Map(contacts.map((contact) => [contact["name"], ownerOf(contact)]));
  assert.deepEqual(owners.get("Ada One"), own);
  assert.deepEqual(owners.get("Ada Two"), own);
  assert.deepEqual(owners.get("Nobody"), NONE);
});

test("a contact that existed before the import has no partner", async () => {
  const acme = await api.tenant();
  const partner = await partnerOf(acme);
  const before = await contactOf(acme, WAYS);
  await importPushed(acme, (await partner.push(WAYS)).id);
  const after = ok(await acme.get(`/crm/contacts/${String(before["_id"])}`)).body;
  assert.deepEqual(after, before);
});

test("a pushed lead that is pending, accepted or rejected attributes no person", async () => {
  const acme = await api.tenant();
  const partner = await partnerOf(acme);
  const { id } = await partner.push(WAYS);
  assert.deepEqual(ownerOf(await contactOf(acme, WAYS)), NONE);
  ok(await decide(acme, id, "accept"));
  assert.deepEqual(ownerOf(await contactOf(acme, WAYS)), NONE);
});

test("a person of another tenant's partner has no partner here", async () => {
  await brought();
  assert.deepEqual(ownerOf(await contactOf(await api.tenant(), WAYS)), NONE);
});

/** Creates two partners. The first one pushes a person, and then the second one pushes the same person. */
async function twoPushes(fields: readonly [Body, Body] = [WAYS, WAYS]) {
  const acme = await api.tenant();
  const partners = [await partnerOf(acme), await partnerOf(acme)] as const;
  const pushes: { partner: TestPartner; id: string }[] = [];
  for (const [at, partner] of partners.entries()) {
    pushes.push({ partner, id: (await partner.push(fields[at])).id });
  }
  const [first, second] = pushes;
  assert.ok(first && second);
  return { acme, first, second };
}

test("of two partners that brought a person the first import counts", async () => {
  const { acme, first, second } = await twoPushes();
  await importPushed(acme, first.id);
  await importPushed(acme, second.id);
  const own = { partner_id: first.partner.partner_id, pushed_lead_id: first.id };
  assert.deepEqual(ownerOf(await contactOf(acme, WAYS)), own);
});

test("the import counts, not the push", async () => {
  const { acme, first, second } = await twoPushes();
  await importPushed(acme, second.id);
  const later = await importPushed(acme, first.id);
  const own = { partner_id: second.partner.partner_id, pushed_lead_id: second.id };
  assert.deepEqual(ownerOf(await contactOf(acme, WAYS)), own);
  // The lead imported second is attributed to the partner that pushed it, but the person is still attributed to the
  // first partner.
  assert.equal(later["partner_id"], first.partner.partner_id);
  const { contact_id } = ok(await acme.post(`/crm/leads/${String(later["_id"])}/convert`)).body;
  assert.deepEqual(ownerOf(ok(await acme.get(`/crm/contacts/${contact_id}`)).body), own);
});

test("of the partner of the email and the partner of the number the first counts", async () => {
  const { acme, first, second } = await twoPushes([
    { email: EMAIL },
    { email: undefined, phone: PHONE },
  ]);
  await importPushed(acme, second.id);
  await importPushed(acme, first.id);
  const owner = async (fields: Body) => (await contactOf(acme, fields))["partner_id"];
  assert.equal(await owner({ email: EMAIL }), first.partner.partner_id);
  assert.equal(await owner({ phone: PHONE }), second.partner.partner_id);
  assert.equal(await owner(WAYS), second.partner.partner_id);
});

test("each import adds the email and number that it brought to its partner", async () => {
  const { acme, first, second } = await twoPushes([{ email: EMAIL }, WAYS]);
  await importPushed(acme, first.id);
  await importPushed(acme, second.id);
  const owner = async (fields: Body) => (await contactOf(acme, fields))["partner_id"];
  assert.equal(await owner({ email: EMAIL }), first.partner.partner_id);
  assert.equal(await owner({ phone: PHONE }), second.partner.partner_id);
});

test("concurrent imports of one person give it one partner", async () => {
  const acme = await api.tenant();
  const pushes: string[] = [];
  for (let at = 0; at < 6; at++) {
    const { id } = await (await partnerOf(acme)).push(WAYS);
    ok(await decide(acme, id, "accept"));
    pushes.push(id);
  }
  const answers = await Promise.all(pushes.map((id) => decide(acme, id, "import")));
  for (const answer of answers) assert.equal(ok(answer).body.status, "imported");
  const owners = new Set<unknown>();
  for (const fields of [{ email: EMAIL }, { phone: PHONE }, WAYS]) {
    owners.add((await contactOf(acme, fields))["pushed_lead_id"]);
  }
  assert.equal(owners.size, 1);
  assert.ok(pushes.includes(String([...owners][0])));
});

test("the partner and the pushed lead of a record cannot be set by hand", async () => {
  const { acme, own } = await brought();
  const other = { partner_id: "f".repeat(24), pushed_lead_id: "e".repeat(24) };
  for (const path of ["/crm/leads", "/crm/contacts"]) {
    const made = ok(await acme.post(path, { name: "B", ...other })).body;
    assert.deepEqual(ownerOf(made), NONE);
    const patched = await acme.patch(`${path}/${made._id}`, { title: "Ms", ...other });
    assert.deepEqual(ownerOf(ok(patched).body), NONE);
  }
  const contact = await contactOf(acme, { ...WAYS, ...other, partner_id: null });
  assert.deepEqual(ownerOf(contact), own);
  const patched = await acme.patch(`/crm/contacts/${String(contact["_id"])}`, {
    partner_id: null,
    email: "changed@example.com",
  });
  assert.deepEqual(ownerOf(ok(patched).body), own);
});
