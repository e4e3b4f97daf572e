/** The import wizard with missing accounts and with people who have no email or phone. */

import assert from "node:assert/strict";
import test from "node:test";
import type { Page } from "playwright-core";
import { assertAccessible, startConsole } from "../../kit/console.ts";

const chooseFile = (page: Page, name: string, text: string) =>
  page
    .locator("input[type=file]")
    .setInputFiles({ name, mimeType: "text/csv", buffer: Buffer.from(text) });

const DEALS =
  "Deal Name,Company,Company Domain\n" +
  "Bridge,Globex,globex.example\n" +
  "Tunnel,Globex,globex.example\n" +
  "Tower,Initech,initech.example\n";

/** Returns the text of the table row that counts linked accounts. */
const linkedAccounts = (page: Page) =>
  page.getByRole("table", { name: "Linked records" }).getByRole("row").last().innerText();

test("the wizard offers to create missing accounts, and links them", async (t) => {
  const pages = await startConsole(t);
  if (pages === undefined) return;
  const { client } = pages;
  await client.post("/crm/accounts", { name: "Initech", website: "https://www.initech.example" });
  const page = await pages.open("agent", "/imports/new?type=deals");
  await page.getByText("Start with accounts, then contacts, then deals").waitFor();
  await assertAccessible(page);
  await chooseFile(page, "deals.csv", DEALS);
  await page.getByText("Accounts for 2 rows were not found").waitFor();
  assert.match(await linkedAccounts(page), /^\S+\s+1\s+0\s+2\s+0$/);
  await page.getByRole("switch", { name: "Create missing accounts" }).check();
  await assertAccessible(page);
  await page.getByRole("button", { name: "Check again" }).click();
  await page.getByRole("button", { name: "Import 3 rows" }).waitFor();
  await page.getByText("To be created").waitFor();
  assert.match(await linkedAccounts(page), /^\S+\s+2\s+1\s+0\s+0$/);
  await assertAccessible(page);
  assert.equal((await client.get("/crm/accounts")).body.length, 1);
  await page.getByRole("button", { name: "Import 3 rows" }).click();
  await page.getByText("Import complete").waitFor();
  await assertAccessible(page);
  const { body: deals } = await client.get("/crm/deals", { sort_dict: { _id: 1 } });
  assert.deepEqual(
    deals.map((deal: Record<string, unknown>) => deal["account_name"]),
    ["Globex", "Globex", "Initech"],
  );
});

test("a file of people without email and phone gets a warning, and deleted rows are counted", async (t) => {
  const pages = await startConsole(t);
  if (pages === undefined) return;
  const page = await pages.open("agent", "/imports/new?type=leads");
  await chooseFile(
    page,
    "people.csv",
    "Name,Reach,IsDeleted\nAnn,ann@example.com,false\nBo,bo@example.com,true\n",
  );
  await page.getByText("No email or phone column found").waitFor();
  await page.getByText("Rows skipped because the file marks them as deleted: 1.").waitFor();
  await assertAccessible(page);
  await page.getByLabel("Field for the column Reach").selectOption("email");
  await page.getByRole("button", { name: "Check again" }).click();
  await page.getByRole("button", { name: "Import 1 row" }).waitFor();
  assert.equal(await page.getByText("No email or phone column found").count(), 0);
});
