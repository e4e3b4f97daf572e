/**
 * A deal is attributed to its contact's partner, keeps the commission rate that applied when it was created, and earns
 * commission when it is won.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { sharedApi } from "../../kit/file-api.ts";
import { ok, type Body } from "../../api/samples.ts";
import { assertCounts, importFile, recordsOf } from "../../files/imports/sending.ts";
import type { Client } from "../../kit/api.ts";
import { importPushed, partnerOf, type TestPartner } from "../exchange-kit.ts";

const api = await sharedApi();

const create = async (client: Client, path: string, body: Body): Promise<string> =>
  ok(await client.post(path, { name: "Ada Example", ...body })).body._id;

/** Creates a contact that is attributed to a partner. */
async function bring(acme: Client, partner: TestPartner, fields: Body = {}): Promise<string> {
  const lead = await importPushed(acme, (await partner.push()).id);
  return create(acme, "/crm/contacts", { email: lead["email"], ...fields });
}

/** Creates a tenant with a partner at 10 percent and a contact attributed to this partner. */
async function market(settings: Body = {}) {
  const acme = await api.tenant();
  const partner = await partnerOf(acme, { commission_rate: 10, ...settings });
  return { acme, partner, contact_id: await bring(acme, partner) };
}

const deal = async (acme: Client, fields: Body): Promise<Body> =>
  ok(await acme.post("/crm/opportunities", { name: "Looms", ...fields })).body;

const WON = { stage: "closed_won" };

async function earnings(partner: TestPartner): Promise<unknown> {
  return ok(await partner.get("/crm/partner/analytics")).body.estimated_earnings;
}

const change = async (acme: Client, { _id }: Body, fields: Body): Promise<Body> =>
  ok(await acme.patch(`/crm/opportunities/${String(_id)}`, fields)).body;

test("a deal with a partner's contact is the partner's, and earns once it is won", async () => {
  const { acme, partner, contact_id } = await market();
  const made = await deal(acme, { contact_id, value_of_sale: 1000 });
  assert.equal(made["partner_id"], partner.partner_id);
  assert.equal(await earnings(partner), 0);
  for (const stage of ["draft", "prospecting", "developing", "negotiation_review"]) {
    await change(acme, made, { stage });
    assert.equal(await earnings(partner), 0);
  }
  assert.equal((await change(acme, made, WON))["partner_id"], partner.partner_id);
  assert.equal(await earnings(partner), 100);
});

test("a deal that is created as won earns at once", async () => {
  const { acme, partner, contact_id } = await market();
  await deal(acme, { contact_id, value_of_sale: 250, ...WON });
  assert.equal(await earnings(partner), 25);
});

test("a deal that is created by converting a partner's lead is the partner's", async () => {
  const { acme, partner } = await market();
  const lead = await importPushed(acme, (await partner.push()).id);
  const body = { account: { name: "Example Ltd" }, deal: { name: "Looms", value_of_sale: 500 } };
  const { opportunity_id } = ok(
    await acme.post(`/crm/leads/${String(lead["_id"])}/convert`, body),
  ).body;
  const made = ok(await acme.get(`/crm/deals/${opportunity_id}`)).body as Body;
  assert.equal(made["partner_id"], partner.partner_id);
  await change(acme, made, WON);
  assert.equal(await earnings(partner), 50);
});

test("a deal with a contact that no partner brought belongs to no partner", async () => {
  const { acme, partner } = await market();
  const contact_id = await create(acme, "/crm/contacts", {});
  const made = await deal(acme, { contact_id, value_of_sale: 1000, ...WON });
  assert.equal(made["partner_id"], null);
  assert.equal(await earnings(partner), 0);
});

test("a deal of an account belongs to the partner of the account's only attributed contact", async () => {
  const { acme, partner } = await market();
  const account_id = await create(acme, "/crm/accounts", {});
  assert.equal((await deal(acme, { account_id }))["partner_id"], null);
  await create(acme, "/crm/contacts", { account_id });
  assert.equal((await deal(acme, { account_id }))["partner_id"], null);
  await bring(acme, partner, { account_id });
  await create(acme, "/crm/contacts", { account_id });
  const made = await deal(acme, { account_id, value_of_sale: 70, ...WON });
  assert.equal(made["partner_id"], partner.partner_id);
  assert.equal(await earnings(partner), 7);
});

test("the deals of an account with two attributed contacts belong to neither partner", async () => {
  const { acme, partner } = await market();
  const other = await partnerOf(acme);
  for (const second of [other, partner]) {
    const account_id = await create(acme, "/crm/accounts", {});
    await bring(acme, partner, { account_id });
    await bring(acme, second, { account_id });
    assert.equal((await deal(acme, { account_id, ...WON }))["partner_id"], null);
  }
});

test("a deal's own contact decides, whatever other contacts its account has", async () => {
  const { acme, partner, contact_id } = await market();
  const other = await partnerOf(acme);
  const account_id = await create(acme, "/crm/accounts", {});
  await bring(acme, other, { account_id });
  const theirs = await deal(acme, { account_id, contact_id });
  assert.equal(theirs["partner_id"], partner.partner_id);
  const plain = await create(acme, "/crm/contacts", { account_id });
  const nobodys = await deal(acme, { account_id, contact_id: plain });
  assert.equal(nobodys["partner_id"], null);
});

test("a deal keeps the rate of its creation, and a later one has the later rate", async () => {
  const { acme, partner, contact_id } = await market();
  const before = await deal(acme, { contact_id, value_of_sale: 1000 });
  ok(await acme.patch(`/crm/admin/partners/${partner.partner_id}`, { commission_rate: 20 }));
  await change(acme, before, WON);
  assert.equal(await earnings(partner), 100);
  await deal(acme, { contact_id, value_of_sale: 1000, ...WON });
  assert.equal(await earnings(partner), 300);
  const { commission_rate } = ok(await partner.get("/crm/partner/analytics")).body;
  assert.equal(commission_rate, 20);
});

test("the current value counts, not the value at creation", async () => {
  const { acme, partner, contact_id } = await market();
  const made = await deal(acme, { contact_id, value_of_sale: 1000, ...WON });
  await change(acme, made, { value_of_sale: 99.9 });
  assert.equal(await earnings(partner), 9.99);
  await change(acme, made, { value_of_sale: null });
  assert.equal(await earnings(partner), 0);
  const product_dict_list = [{ unit_amount: 12.5, unit_count: 4 }];
  await change(acme, made, { product_dict_list });
  assert.equal(await earnings(partner), 5);
});

test("the whole value counts, whatever the deal's probability", async () => {
  const { acme, partner, contact_id } = await market();
  await deal(acme, { contact_id, value_of_sale: 100, probability_pcnt: 0.5, ...WON });
  assert.equal(await earnings(partner), 10);
});

test("a reopened or lost deal earns nothing until it is won again", async () => {
  const { acme, partner, contact_id } = await market();
  const made = await deal(acme, { contact_id, value_of_sale: 1000, ...WON });
  for (const stage of ["discovery", "closed_lost"]) {
    await change(acme, made, { stage });
    assert.equal(await earnings(partner), 0, stage);
    await change(acme, made, WON);
    assert.equal(await earnings(partner), 100);
  }
});

test("a deal without a value earns nothing, and a refund reduces earnings", async () => {
  const { acme, partner, contact_id } = await market();
  await deal(acme, { contact_id, ...WON });
  assert.equal(await earnings(partner), 0);
  await deal(acme, { contact_id, value_of_sale: -50, ...WON });
  assert.equal(await earnings(partner), -5);
});

test("each partner earns from its own deals", async () => {
  const { acme, partner, contact_id } = await market();
  const other = await partnerOf(acme, { commission_rate: 50 });
  await deal(acme, { contact_id, value_of_sale: 100, ...WON });
  const contact = await bring(acme, other);
  await deal(acme, { contact_id: contact, value_of_sale: 100, ...WON });
  assert.deepEqual([await earnings(partner), await earnings(other)], [10, 50]);
  const { estimated_earnings, commission_rate } = ok(await acme.get("/crm/admin/analytics")).body;
  assert.deepEqual([estimated_earnings, commission_rate], [60, null]);
});

test("imported deals are the partner's like any others", async () => {
  const { acme, partner, contact_id } = await market();
  const csv = `name,contact_id,stage,value_of_sale\nA,${contact_id},closed_won,40\nB,${contact_id},closed_won,60`;
  assertCounts(await importFile(acme, "deal", csv), { rows: 2, created: 2 });
  const deals = await recordsOf(acme, "/crm/deals");
  assert.deepEqual(
    deals.map(({ partner_id }) => partner_id),
    [partner.partner_id, partner.partner_id],
  );
  assert.equal(await earnings(partner), 10);
});

test("a deal's partner cannot be set by hand", async () => {
  const { acme, partner, contact_id } = await market();
  const other = await partnerOf(acme);
  const made = await deal(acme, { contact_id, partner_id: other.partner_id, value_of_sale: 10 });
  assert.equal(made["partner_id"], partner.partner_id);
  const plain = await create(acme, "/crm/contacts", {});
  const nobodys = await deal(acme, { contact_id: plain, partner_id: other.partner_id, ...WON });
  assert.equal(nobodys["partner_id"], null);
  const patched = await change(acme, made, { ...WON, partner_id: other.partner_id });
  assert.equal(patched["partner_id"], partner.partner_id);
  assert.deepEqual([await earnings(partner), await earnings(other)], [1, 0]);
});

test("a suspended partner's deals stay its own", async () => {
  const { acme, partner, contact_id } = await market();
  const path = `/crm/admin/partners/${partner.partner_id}`;
  ok(await acme.patch(path, { status: "suspended" }));
  const made = await deal(acme, { contact_id, value_of_sale: 100, ...WON });
  assert.equal(made["partner_id"], partner.partner_id);
  const told = ok(await acme.get("/crm/admin/analytics", { partner_id: partner.partner_id })).body;
  assert.equal(told.estimated_earnings, 10);
});
