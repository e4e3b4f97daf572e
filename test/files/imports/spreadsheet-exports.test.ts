/** Importing spreadsheet exports without the option that removes the leading `'`. */

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Client } from "../../kit/api.ts";
import { sharedApi } from "../../kit/file-api.ts";
import { assertCounts, importFile, prepare, recordsOf, send } from "./sending.ts";

const api = await sharedApi();

const exported = async (client: Client, path: string) =>
  (await client.get(`${path}/export`, { for: "spreadsheet" })).text;

const noticesOf = (done: unknown) =>
  (done as { mapping: { notices: readonly string[] } }).mapping.notices;

for (const type of ["leads", "contacts", "accounts"]) {
  test(`${type} with phone numbers are rejected as a whole, with the missing option`, async () => {
    const acme = await api.tenant();
    const record = { name: "=1+1", phone: "+1 415 555 0100" };
    await acme.post(`/crm/${type}`, record);
    const file = await exported(acme, `/crm/${type}`);
    const id = await prepare(acme, type);
    const refused = await send(acme, id, file);
    assert.equal(refused.status, 422);
    assert.match(
      refused.body.detail[0].msg,
      /exported for spreadsheets.*option spreadsheet \(--spreadsheet.*Exported for spreadsheets in the console\)$/,
    );
    assert.equal((await acme.get(`/crm/imports/${id}`)).body.state, "failed");
    assert.equal((await recordsOf(acme, `/crm/${type}`)).length, 1);
    const done = await importFile(acme, type, file, { spreadsheet: true });
    assertCounts(done, { rows: 1, created: 1 });
    const [copy] = await recordsOf(acme, `/crm/${type}`);
    assert.deepEqual({ name: copy?.["name"], phone: copy?.["phone"] }, record);
  });
}

test("without phone numbers the file is imported as it is, with a notice", async () => {
  const acme = await api.tenant();
  await acme.post("/crm/tasks", { name: "=1+1" });
  await acme.post("/crm/tasks", { name: "plain", description: "@home" });
  const file = await exported(acme, "/crm/tasks");
  const [notice, ...others] = noticesOf(await importFile(acme, "tasks", file));
  assert.match(notice ?? "", /start with ', as in exports for spreadsheets.*set the option/);
  assert.deepEqual(others, []);
  for (const spreadsheet of [true, false]) {
    assert.deepEqual(noticesOf(await importFile(acme, "tasks", file, { spreadsheet })), []);
  }
  const names = (await recordsOf(acme, "/crm/tasks")).map(({ name }) => name);
  assert.deepEqual(names.slice(0, 6), ["plain", "'=1+1", "plain", "=1+1", "plain", "'=1+1"]);
});

const PLAIN: Readonly<Record<string, readonly object[]>> = {
  "a text with ' next to a text that a spreadsheet export would have changed": [
    { name: "'=1+1" },
    { name: "Ann", phone: "+1 415 555 0100" },
  ],
  "a name that begins with ' and a letter": [{ name: "'t Hooft" }],
  "no such text": [{ name: "Ann", title: "Dr" }],
};

for (const [what, leads] of Object.entries(PLAIN)) {
  test(`a plain export is imported without a notice: ${what}`, async () => {
    const acme = await api.tenant();
    for (const lead of leads) await acme.post("/crm/leads", lead);
    const { text } = await acme.get("/crm/leads/export");
    const done = await importFile(acme, "leads", text);
    assertCounts(done, { rows: leads.length, created: leads.length });
    assert.deepEqual(noticesOf(done), []);
  });
}

test("files of other systems may start their texts with '", async () => {
  const acme = await api.tenant();
  const done = await importFile(acme, "leads", "name,phone\n'=1+1,'+1 415 555 0100\n");
  assertCounts(done, { rows: 1, created: 1 });
});
