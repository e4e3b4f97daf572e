/** Concurrent requests for the same records and the same invoice or order numbers. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { account, contact, invoice, lead, order } from "./cases.ts";
import { create, idsOf, read, smallest } from "./checks.ts";
import { sharedApi } from "../kit/file-api.ts";

const api = await sharedApi();
const TIMES = Array.from({ length: 8 }, (_, at) => at);

// docs/records.md#invoice-numbers
test("of eight concurrent creations with one invoice_num, one succeeds and the others return 409", async () => {
  const acme = await api.tenant();
  const body = { ...(await smallest(acme, invoice)), invoice_num: "INV-1" };
  const replies = await Promise.all(TIMES.map(() => acme.post(invoice.write, body)));
  const statuses = replies.map(({ status }) => status).toSorted((a, b) => a - b);
  assert.deepEqual(statuses, [200, ...TIMES.slice(1).map(() => 409)]);
  assert.equal(idsOf(await acme.get(invoice.list)).length, 1);
});

// docs/records.md#order-numbers
test("orders created concurrently get different numbers", async () => {
  const acme = await api.tenant();
  const { _id } = await create(acme, account);
  const made = await Promise.all(TIMES.map(() => create(acme, order, { account_id: _id })));
  assert.equal(new Set(made.map(({ order_num }) => order_num)).size, TIMES.length);
});

// docs/safe-writes.md#conflict-safe-edits
test("concurrent PATCHes of different fields are all stored, each with a version", async () => {
  const acme = await api.tenant();
  const { _id } = await create(acme, lead);
  const fields = "comments employer_name profession title website email phone".split(" ");
  const replies = await Promise.all(
    fields.map((field) => acme.patch(`${lead.write}/${_id}`, { [field]: `new ${field}` })),
  );
  for (const { status, text } of replies) assert.equal(status, 200, text);
  const stored = await read(acme, lead, _id);
  for (const field of fields) assert.equal(stored[field], `new ${field}`);
  assert.equal(stored["version"], 1 + fields.length);
});

// docs/requests.md#null-and-empty-values
test("the same PATCH eight times at once is one change", async () => {
  const acme = await api.tenant();
  const { _id } = await create(acme, lead);
  const same = { title: "Dr" };
  await Promise.all(TIMES.map(() => acme.patch(`${lead.write}/${_id}`, same)));
  assert.equal((await read(acme, lead, _id))["version"], 2);
});

// docs/records.md#conversion
test("concurrent conversions of a lead create one contact", async () => {
  const acme = await api.tenant();
  const { _id } = await create(acme, lead);
  const replies = await Promise.all(TIMES.map(() => acme.post(`/crm/leads/${_id}/convert`, {})));
  for (const { status, text } of replies) assert.equal(status, 200, text);
  assert.equal(idsOf(await acme.get(contact.list)).length, 1);
});
