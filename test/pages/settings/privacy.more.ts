/** How an administrator handles a person's request (report, preview, erase) and sets how long data is retained. */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import test from "node:test";
import { ok } from "../../api/samples.ts";
import { assertAccessible, startConsole } from "../../kit/console.ts";
import { partnerOf } from "../../exchange/partner-kit.ts";

const JANE = { name: "Jane Doe", email: "jane@example.org", phone: "(415) 555-0143" };

test("a person is found, downloaded and erased after typing a confirmation", async (t) => {
  const pages = await startConsole(t);
  if (pages === undefined) return;
  const { client } = pages;
  const lead = ok(await client.post("/crm/leads", { ...JANE, source: "Google" })).body;
  const { contact_id } = ok(await client.post(`/crm/leads/${lead._id}/convert`, {})).body;
  const account = ok(await client.post("/crm/accounts", { name: "Acme", email: JANE.email })).body;
  const invoice = {
    invoice_num: "R-1",
    account_id: account._id,
    contact_id,
    total_amount: 10,
    invoice_line_list: [{ description: "Tea", amount: 10 }],
  };
  ok(await client.post("/crm/invoices", invoice));
  const noted = { name: "Noted", description: "Knows Jane Doe well" };
  const { _id: notedId } = ok(await client.post("/crm/accounts", noted)).body;
  const partner = await partnerOf(client, { allowed_marketing_sources: ["Google"] });
  ok(await partner.post("/crm/partner/push", JANE));

  const page = await pages.open("admin", "/settings/privacy");
  await page.getByRole("heading", { name: "Privacy", level: 1 }).waitFor();
  await assertAccessible(page);
  const email = page.getByRole("textbox", { name: "Email" });
  await email.fill("nobody");
  await page.getByRole("button", { name: "Create report" }).click();
  await page.getByText(/not an email address/).waitFor();
  await email.fill("nobody@example.org");
  await page.getByRole("button", { name: "Create report" }).click();
  await page.getByText("Nothing is stored about this person.").waitFor();
  await email.fill("JANE@example.org");
  await page.getByRole("button", { name: "Create report" }).click();
  const records = page.getByRole("table", { name: "Records" });
  await records.getByRole("row").nth(5).waitFor();
  await page.getByRole("heading", { name: "Mentions to review" }).waitFor();
  await page.getByRole("heading", { name: "Retained as required by law" }).waitFor();
  await page.getByText("Referrals Ltd").first().waitFor();
  await assertAccessible(page);

  const downloading = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download report" }).click();
  const path = await (await downloading).path();
  const report = JSON.parse(await readFile(path, "utf8"));
  assert.ok(report.data.records.length >= 3);

  await page.getByRole("checkbox", { name: "Select Noted" }).check();
  await page.getByRole("button", { name: "Preview erasure" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("heading", { name: "Erase JANE@example.org?" }).waitFor();
  await dialog.getByText(/^Selected: .*1 lead\b.*, 1 mention\./).waitFor();
  await dialog.getByText("Rows to be removed or changed").waitFor();
  const erase = dialog.getByRole("button", { name: "Erase" });
  assert.ok(await erase.isDisabled());
  await dialog.getByRole("textbox").fill("ERASE");
  await assertAccessible(page);
  await erase.click();
  await page.getByText("Personal data erased").waitFor();
  await page.getByText("submitted a lead about this person").waitFor();
  await assertAccessible(page);
  assert.equal((await client.get(`/crm/leads/${lead._id}`)).status, 404);
  const { description } = ok(await client.get(`/crm/accounts/${notedId}`)).body;
  assert.equal(description, "Knows [erased] well");
  await page.getByRole("button", { name: "New search" }).click();
  assert.equal(await email.inputValue(), "");
});

test("retention is saved, and refused below its minimum", async (t) => {
  const pages = await startConsole(t);
  if (pages === undefined) return;
  const page = await pages.open("admin", "/settings/privacy");
  const history = page.getByRole("textbox", { name: "Record history (days)" });
  await history.fill("7");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Enter 30 or more").waitFor();
  await history.fill("90");
  await page.getByRole("switch", { name: /Reject leads for erased people/ }).click();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Retention settings saved").waitFor();
  const { history_days, block_erased } = ok(await pages.client.get("/crm/admin/privacy")).body;
  assert.deepEqual([history_days, block_erased], [90, true]);
  await page.setViewportSize({ width: 390, height: 844 });
  await assertAccessible(page);
  const overflow = await page.evaluate("document.documentElement.scrollWidth > innerWidth");
  assert.equal(overflow, false);
});
