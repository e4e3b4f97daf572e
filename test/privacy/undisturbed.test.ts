/**
 * An erasure changes no totals, no data of other tenants, and no positions in the change feed that readers have already
 * passed.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Client } from "../kit/api.ts";
import { ok } from "../api/samples.ts";
import { type Change, readersOf } from "../events/feed-kit.ts";
import { decide, importPushed, partnerOf } from "../exchange/exchange-kit.ts";
import { sharedApi } from "../kit/file-api.ts";
import { eraseAll, report } from "./person-requests.ts";
import { occurrencesOf } from "./person-kit.ts";

const api = await sharedApi();
const { nowOf, readOn } = readersOf(api.sql);
const INVOICE = { invoice_num: "R-1", invoice_line_list: [{ description: "Loom", amount: 99.5 }] };
const EMAIL = "sigrid.summand@example.org";

/** Creates a person who was pushed, imported and converted, and who bought something. */
async function business(client: Client) {
  const partner = await partnerOf(client, { commission_rate: 12.5 });
  const person = { name: "Sigrid Summand", email: EMAIL, source: "Google" };
  const lead = await importPushed(client, (await partner.push(person)).id);
  const { contact_id } = ok(await client.post(`/crm/leads/${String(lead["_id"])}/convert`)).body;
  const account = ok(await client.post("/crm/accounts", { name: "Acme", email: EMAIL })).body._id;
  const won = { name: "Looms", contact_id, stage: "closed_won", value_of_sale: 1234.56 };
  const deal = ok(await client.post("/crm/opportunities", won)).body._id;
  const billed = { account_id: account, contact_id, total_amount: 99.5, ...INVOICE };
  ok(await client.post("/crm/invoices", billed));
  ok(await client.post("/crm/orders", { contact_id, total_amount: 99.5 }));
  const other = await partner.push();
  ok(await decide(client, other.id, "reject"));
  return { partner, lead: String(lead["_id"]), contact_id, account, deal };
}

type Business = Awaited<ReturnType<typeof business>>;

/** Returns all totals and sums. */
async function sumsOf(client: Client, { partner }: Business) {
  const read = async (path: string, query = {}) => ok(await client.get(path, query)).body;
  return {
    analytics: await read("/crm/admin/analytics"),
    partners: ok(await partner.get("/crm/partner/analytics")).body,
    deals: await read("/crm/deals/summary", { group_by: "stage", sum: "value_of_sale" }),
    invoices: await read("/crm/invoices/summary", { group_by: "stage", sum: "total_amount" }),
    orders: await read("/crm/orders/summary", { group_by: "stage", sum: "total_amount" }),
  };
}

test("analytics, commission and sums are the same before and after", async () => {
  const client = await api.tenant();
  const done = await business(client);
  const before = await sumsOf(client, done);
  assert.equal(before.partners.estimated_earnings, 154.32);
  assert.equal(
    ok(await eraseAll(client, await report(client, { email: EMAIL }))).body.state,
    "done",
  );
  assert.deepEqual(await sumsOf(client, done), before);
  assert.deepEqual(await occurrencesOf(api.sql, client.tenantId, ["sigrid", "summand"]), []);
  const deal = ok(await client.get(`/crm/deals/${done.deal}`)).body;
  assert.deepEqual([deal.contact_id, deal.value_of_sale], [null, 1234.56]);
});

const place = ({ type, id, action, version }: Change) => [type, id, action, version];

test("a reader of the change feed continues where it was, and learns what was erased", async () => {
  const client = await api.tenant();
  const { lead, contact_id, account, deal } = await business(client);
  const read = await readOn(client, undefined, { since: undefined });
  const cursor = await nowOf(client);
  assert.equal(
    ok(await eraseAll(client, await report(client, { email: EMAIL }))).body.state,
    "done",
  );

  const after = await readOn(client, cursor);
  const told = new Map(after.changes.map((change) => [change.id, change]));
  for (const id of [lead, contact_id]) {
    assert.deepEqual([told.get(id)?.action, told.get(id)?.reason], ["deleted", "erased"]);
  }
  for (const id of [account, deal]) {
    assert.deepEqual([told.get(id)?.action, told.get(id)?.reason], ["updated", "cleared"]);
  }
  assert.doesNotMatch(JSON.stringify(after), /sigrid|summand/i);
  // Changes that were read before are still in the feed in the same order, but without their values.
  const again = await readOn(client);
  assert.deepEqual(again.changes.slice(0, read.changes.length).map(place), read.changes.map(place));
  assert.deepEqual(again.changes.slice(read.changes.length).map(place), after.changes.map(place));
  assert.doesNotMatch(JSON.stringify(again), /sigrid|summand/i);
});

test("the same person in another tenant is neither found nor erased", async () => {
  const client = await api.tenant();
  const stranger = await api.tenant();
  await business(client);
  const theirs = await business(stranger);
  const everything = async () => ({
    lead: ok(await stranger.get(`/crm/leads/${theirs.lead}`)).body,
    history: ok(await stranger.get(`/crm/leads/${theirs.lead}/history`)).body,
    found: await occurrencesOf(api.sql, stranger.tenantId, [EMAIL]),
  });
  const before = await everything();
  const found = await report(client, { email: EMAIL });
  assert.doesNotMatch(JSON.stringify(found), new RegExp(theirs.lead));
  const erasure = ok(await eraseAll(client, found)).body;
  assert.deepEqual(await everything(), before);
  // The other tenant can see neither the report nor the erasure.
  assert.equal((await eraseAll(stranger, found)).status, 404);
  assert.equal((await stranger.get(`/crm/admin/persons/erasures/${erasure.id}`)).status, 404);
  assert.deepEqual(ok(await stranger.get("/crm/admin/persons/erasures")).body, []);
  // The other tenant's own report cannot be used to erase this tenant's records.
  const own = await report(stranger, { email: EMAIL });
  const mixed = { ...own, records: found["records"] };
  assert.equal((await eraseAll(stranger, mixed)).status, 422);
});
