/** Event webhooks, the audit log and the business settings, which only administrators see. */

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import test from "node:test";
import { readTransferKey, type MasterKey } from "../../../src/platform/secrets/index.ts";
import { startReceiver } from "../../delivery/receiver.ts";
import { assertAccessible, startConsole } from "../../kit/console.ts";
import { migratedDatabase } from "../../kit/database.ts";
import { eventually } from "../../kit/eventually.ts";
import { imported } from "../../tenants/move-kit.ts";

test("a webhook is created, tested, replayed, paused and deleted", async (t) => {
  const pages = await startConsole(t, { works: true });
  if (pages === undefined) return;
  const { client } = pages;
  const receiver = await startReceiver(t);
  const page = await pages.open("admin", "/settings/webhooks");
  await page.getByRole("heading", { name: "No webhooks yet" }).waitFor();
  await page.getByRole("link", { name: "Create webhook" }).first().click();
  await page.getByRole("textbox", { name: "URL" }).fill(`${receiver.url}/events`);
  await page.getByRole("button", { name: "Create webhook" }).click();
  await page.getByRole("alert").getByText("Choose at least one event").waitFor();
  const filter = page.getByRole("textbox", { name: "Filter" });
  assert.ok(await filter.isDisabled());
  await page.getByRole("button", { name: /^Leads/ }).click();
  await page.getByRole("checkbox", { name: "Created" }).check();
  await filter.fill('{"lead_source": ');
  await page.getByText("This is not a JSON object").waitFor();
  await filter.fill('{"color": "blue"}');
  await page.getByRole("button", { name: "Create webhook" }).click();
  await page.getByText(/color/).nth(1).waitFor();
  await assertAccessible(page);
  await filter.fill('{"lead_source": "Referral"}');
  await page.getByRole("button", { name: "Create webhook" }).click();
  const secret = await page.getByRole("status").locator("pre").innerText();
  assert.match(secret, /^whsec_/);
  await assertAccessible(page);
  const [made] = (await client.get("/crm/webhooks")).body;
  assert.deepEqual([made.events, made.filter], [["lead.created"], { lead_source: "Referral" }]);

  await page.getByRole("link", { name: "View webhook" }).click();
  await page.getByRole("button", { name: "Send test" }).click();
  await page.getByText(/Response 204 after/).waitFor();
  await client.post("/crm/leads", { name: "Mara Lind", source: "Referral" });
  await eventually(() => receiver.received.length >= 2);
  await page.getByRole("button", { name: "Refresh" }).click();
  await page.getByRole("cell", { name: "lead.created", exact: true }).first().waitFor();
  // The range of a replay ends with the minute in which the page was opened.
  await page.reload();
  await page.getByRole("cell", { name: "lead.created", exact: true }).first().waitFor();
  await page.getByRole("button", { name: "Replay" }).click();
  await page.getByText(/^Done: 1 changes in the range, 1 events queued/).waitFor();
  await assertAccessible(page);

  await eventually(
    async () => (await client.get("/crm/webhooks/health")).body,
    ([health]) => health.delivered === 2,
  );
  await page.getByRole("button", { name: "Refresh" }).click();
  await page.getByRole("link", { name: "Webhooks" }).click();
  await page.getByText("100% of 2 succeeded").waitFor();
  await page.getByRole("switch", { name: /^Enabled/ }).waitFor();
  await assertAccessible(page);
  await page.getByRole("switch", { name: /^Enabled/ }).click();
  await page.getByText("Webhook paused").waitFor();
  await page.getByText("Paused", { exact: true }).waitFor();
  assert.equal((await client.get(`/crm/webhooks/${made.id}`)).body.enabled, false);
  await page.getByRole("link", { name: `${receiver.url}/events` }).click();
  await page.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await page.getByRole("heading", { name: "No webhooks yet" }).waitFor();
  assert.deepEqual((await client.get("/crm/webhooks")).body, []);
});

test("the audit log shows changes and can be filtered", async (t) => {
  const pages = await startConsole(t);
  if (pages === undefined) return;
  const { client } = pages;
  const { body: lead } = await client.post("/crm/leads", { name: "Ines Falk" });
  await client.patch(`/crm/leads/${lead._id}`, { status: "contacted" });
  await client.post("/crm/admin/partners", { name: "Pier Nine" });
  const page = await pages.open("admin", "/settings/audit");
  const entries = page.getByRole("list", { name: "Audit log" }).getByRole("listitem");
  await entries.first().waitFor();
  await assertAccessible(page);

  await page.getByRole("combobox", { name: "Item" }).click();
  await page.getByRole("option", { name: "Lead", exact: true }).click();
  await page.getByRole("combobox", { name: "Action" }).click();
  await page.getByRole("option", { name: "Updated" }).click();
  // While the filtered entries load, the list is empty. With the first filter alone, it has two entries.
  await eventually(
    () => entries.count(),
    (count) => count === 1,
  );
  const told = await entries.first().innerText();
  assert.match(told, /Assigned[^]*Contacted/);
  assert.equal(await entries.getByRole("link").getAttribute("href"), `/leads/${lead._id}`);
  assert.match(page.url(), /subject_type=lead&action=updated/);

  // The filters are part of the URL, so they survive a reload.
  await page.getByRole("textbox", { name: "ID" }).fill("6b014d2609640000");
  await page.waitForURL(/subject_id=6b014d2609640000&/);
  // The input still has the focus.
  await page.keyboard.type("abc112ed");
  await page.waitForURL(/subject_id=6b014d2609640000abc112ed&/);
  await page.getByRole("heading", { name: "No matching entries" }).waitFor();
  await page.reload();
  await page.getByRole("heading", { name: "No matching entries" }).waitFor();
  await assertAccessible(page);
  await page.getByRole("button", { name: "Clear filters" }).first().click();
  await entries.filter({ hasText: "Pier Nine" }).waitFor();
  await page.goto(`${pages.api.url}/settings/audit?to=2020-01-01`);
  await page.getByRole("heading", { name: "No matching entries" }).waitFor();
});

test("changing the currency of the business applies to every amount", async (t) => {
  const pages = await startConsole(t);
  if (pages === undefined) return;
  const { client } = pages;
  await client.post("/crm/admin/partners", { name: "Pier Nine" });
  const page = await pages.open("admin", "/settings/tenant");
  const choose = async (label: string, text: string) => {
    const input = page.getByRole("combobox", { name: label });
    await input.click();
    await input.fill(text);
    await page.getByRole("option", { name: text }).first().click();
  };
  await choose("Currency", "Euro (EUR)");
  await choose("Default country", "France (FR)");
  await choose("Time zone", "Europe/Paris");
  await page.getByRole("radio", { name: "Reject the new record" }).check();
  await page.getByRole("textbox", { name: "Name" }).fill("Harbour Ltd");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Settings saved").waitFor();
  await assertAccessible(page);
  const { body } = await client.get("/crm/admin/tenant");
  assert.deepEqual(
    [body.name, body.currency, body.default_country, body.timezone, body.on_duplicate],
    ["Harbour Ltd", "EUR", "FR", "Europe/Paris", "reject"],
  );
  await page.getByRole("link", { name: "Partners" }).click();
  await page.getByRole("cell", { name: "€0" }).waitFor();
});

test("a name may be the same as another tenant's, and the handle stays", async (t) => {
  const pages = await startConsole(t);
  if (pages === undefined) return;
  const { body: other } = await (await pages.api.tenant()).get("/crm/admin/tenant");
  const { body: own } = await pages.client.get("/crm/admin/tenant");
  const page = await pages.open("owner", "/settings/tenant");
  await page.getByRole("textbox", { name: "Name" }).fill(other.name);
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Settings saved").waitFor();
  await page.getByText(own.handle, { exact: true }).waitFor();
  await page.getByRole("button", { name: "Copy" }).waitFor();
  assert.equal(await page.getByRole("textbox", { name: "Handle" }).count(), 0);
  await assertAccessible(page);
});

test("an owner downloads a file that another installation can import, other roles cannot", async (t) => {
  const keys: MasterKey = { all: [randomBytes(32)] };
  const pages = await startConsole(t, { keys });
  if (pages === undefined) return;
  const { body: lead } = await pages.client.post("/crm/leads", { name: "Ada" });
  const page = await pages.open("owner", "/settings/tenant");
  await page.getByRole("button", { name: "Prepare download" }).click();
  const shown = await page.getByText(/^lptk_/).textContent();
  await assertAccessible(page);
  const downloading = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download file" }).click();
  const download = await downloading;
  assert.match(download.suggestedFilename(), /\.tenant\.zip$/);
  const key = readTransferKey(shown ?? "");
  assert.ok(key !== undefined, "the page shows the transfer key");
  const target = await migratedDatabase(t);
  const own: MasterKey = { all: [randomBytes(32)] };
  await imported(t, { path: await download.path(), key }, { sql: target.sql, keys: own });
  const leads = await target.sql`select id from leads`;
  assert.deepEqual([...leads], [{ id: lead._id }]);
  const admins = await pages.open("admin", "/settings/tenant");
  await admins.getByRole("button", { name: "Save" }).waitFor();
  assert.equal(await admins.getByRole("button", { name: "Prepare download" }).count(), 0);
});

test("a rejected change shows the error and keeps the input", async (t) => {
  const pages = await startConsole(t);
  if (pages === undefined) return;
  const page = await pages.open("admin", "/settings/tenant");
  const name = page.getByRole("textbox", { name: "Name" });
  await name.fill("Harbour Ltd");
  const { body: people } = await pages.client.get("/crm/admin/people");
  const { id } = people.find(({ email }: { email: string }) => email === "admin@example.com");
  await pages.client.patch(`/crm/admin/people/${id}`, { role: "viewer" });
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("alert").waitFor();
  assert.equal(await name.inputValue(), "Harbour Ltd");
});

test("a reviewer sees no settings", async (t) => {
  const pages = await startConsole(t);
  if (pages === undefined) return;
  const page = await pages.open("reviewer");
  for (const path of [
    "/partners",
    "/partners/new",
    "/settings/integrations",
    "/settings/webhooks",
    "/settings/webhooks/new",
    "/settings/audit",
    "/settings/tenant",
    "/settings/privacy",
    "/settings/system",
  ]) {
    await page.goto(pages.api.url + path);
    await page.getByRole("heading", { name: "No access" }).waitFor();
  }
  await assertAccessible(page);
});
