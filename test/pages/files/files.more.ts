/** Imports in the browser: a messy file from upload to records, with mapping fixes and rejected rows. */

import assert from "node:assert/strict";
import test from "node:test";
import type { Page } from "playwright-core";
import { assertAccessible, startConsole } from "../../kit/console.ts";
import { eventually } from "../../kit/eventually.ts";

/** The service reads megabytes. */
const PATIENCE = { timeout: 300_000 } as const;

/** A typical export with a byte order mark, semicolons, CRLF, line breaks in quotes, and custom values. */
const MESSY = [
  "Full Name;Email;Phone;Company;Status;Remarks;Street;City",
  'Ada Moor;ada@example.com;"(555) 555-0101 x42";Moor Ltd;Follow Up;"Called twice,\r\nwants a demo";1 Quay;Dover',
  "Ben Carr;ben@example.com;+44 20 7946 0011;Carr & Sons;Follow Up;;2 Quay;Hull",
  "Cleo Dean;cleo@example.com;;Dean GmbH;contacted;;3 Quay;Bath",
  "Dan Eve;dan@example.com;;Eve;open;;4 Quay;York;shifted;cells",
  `Eve Fox;eve@example.com;;${"x".repeat(501)};open;;5 Quay;Leeds`,
];

const fileOf = (lines: readonly string[], name = "messy.csv") => ({
  name,
  mimeType: "text/csv",
  buffer: Buffer.from(`\u{feff}${lines.join("\r\n")}\r\n`),
});

const chooseFile = (page: Page, file: { name: string; mimeType: string; buffer: Buffer }) =>
  page.locator("input[type=file]").setInputFiles(file);

/** Limits a page's upload speed in bytes per second. -1 means no limit. */
async function throttle(page: Page, uploadThroughput: number): Promise<void> {
  const network = await page.context().newCDPSession(page);
  const conditions = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput };
  await network.send("Network.emulateNetworkConditions", conditions);
}

/** Returns the number shown above a label. */
const countAt = (page: Page, label: string) =>
  page.getByText(label, { exact: true }).locator("xpath=preceding-sibling::*").innerText();

test("a messy file is checked, its mapping fixed, and imported; rejected rows can be downloaded", async (t) => {
  const pages = await startConsole(t);
  if (pages === undefined) return;
  const { client } = pages;
  const page = await pages.open("agent", "/imports");
  await page.getByRole("heading", { name: "No imports yet" }).waitFor();
  await assertAccessible(page);
  await page.getByRole("link", { name: "Import a file" }).first().click();
  await page.getByRole("heading", { name: "What is in the file?" }).waitFor();
  await assertAccessible(page);
  await chooseFile(page, fileOf(MESSY));
  await page.getByRole("button", { name: "Import 3 rows" }).waitFor();
  assert.equal(await countAt(page, "would be created"), "3");
  assert.equal(await countAt(page, "would be rejected"), "2");
  await page.getByText("the row has 10 cells, but the file has 8 columns").waitFor();
  await page.getByText("Detected: CSV, UTF-8, semicolons.").waitFor();
  // Samples appear next to their column headers, and unrecognized values are listed below.
  await page.getByText("1 Quay · 2 Quay · 3 Quay").waitFor();
  await page.getByLabel("Import Follow Up as Status").selectOption("contacted");
  await page
    .getByRole("option", { name: /^Add to (comments|description)$/ })
    .first()
    .waitFor({ state: "attached" });
  assert.equal(await page.getByRole("option", { name: "No field" }).count(), 0);
  await page.getByLabel("Field for the column Company").selectOption("-");
  await page.getByRole("button", { name: "Combine columns" }).click();
  await page.getByLabel("Field", { exact: true }).last().selectOption("business_need_description");
  await page.getByRole("textbox", { name: "Combined from" }).fill("{Street}, {City}");
  await page.getByLabel("Unique ID column").selectOption("Email");
  await assertAccessible(page);
  assert.equal((await client.get("/crm/leads")).body.leads.length, 0);
  await page.getByRole("button", { name: "Check again" }).click();
  await page.getByRole("button", { name: "Import 4 rows" }).click();
  await page.getByText("Import complete").waitFor();
  assert.equal(await countAt(page, "created"), "4");
  await assertAccessible(page);

  const { leads } = (await client.get("/crm/leads", { sort_dict: { name: 1 } })).body;
  assert.deepEqual(
    leads.map((lead: Record<string, unknown>) => [
      lead["name"],
      lead["lead_status"],
      lead["employer_name"],
      lead["business_need_description"],
      lead["external_id"],
    ]),
    [
      ["Ada Moor", "contacted", null, "1 Quay, Dover", "ada@example.com"],
      ["Ben Carr", "contacted", null, "2 Quay, Hull", "ben@example.com"],
      ["Cleo Dean", "contacted", null, "3 Quay, Bath", "cleo@example.com"],
      ["Eve Fox", "open", null, "5 Quay, Leeds", "eve@example.com"],
    ],
  );
  const link = page.getByRole("link", { name: "Download rejected rows" });
  assert.equal(await link.getAttribute("download"), "messy.rejects.csv");
  const href = await link.getAttribute("href");
  const rejects = (await client.get(String(href))).text;
  assert.match(rejects, /^reject_line;reject_reason;Full Name/);
  assert.match(rejects, /Dan Eve/);

  // Importing the same rows again with the same mapping creates no duplicates.
  await page.getByRole("link", { name: "Import another file with this mapping" }).click();
  await page.getByText("Uses the column mapping from messy.csv.").waitFor();
  await chooseFile(page, fileOf(MESSY, "again.csv"));
  await page.getByRole("button", { name: "Import 4 rows" }).waitFor();
  assert.equal(await countAt(page, "unchanged"), "4");
  await page.getByRole("button", { name: "Back" }).click();
  await page.getByRole("link", { name: "Imports" }).click();
  await page.getByRole("link", { name: "messy.csv" }).waitFor();
  assert.equal(await page.getByRole("link", { name: "again.csv" }).count(), 0);
  await page.getByLabel("Show dry runs").check();
  await page.getByRole("link", { name: "again.csv" }).waitFor();
  await assertAccessible(page);
});

test("a file exported for spreadsheets is imported without changes", async (t) => {
  const pages = await startConsole(t);
  if (pages === undefined) return;
  const { client } = pages;
  const lead = { name: "=1+1", phone: "+1 415 555 0100", comments: "'quoted'", title: "Dr" };
  await client.post("/crm/leads", lead);
  const { text } = await client.get("/crm/leads/export", { for: "spreadsheet" });
  const page = await pages.open("agent", "/imports/new?type=leads");
  await chooseFile(page, fileOf(text.trim().split("\r\n"), "leads.csv"));
  await page.getByText("The file was exported for spreadsheets").waitFor();
  assert.equal(await page.getByRole("button", { name: /^Import/ }).count(), 0);
  await page.getByRole("checkbox", { name: "File was exported for spreadsheets" }).check();
  await assertAccessible(page);
  await page.getByRole("button", { name: "Check again" }).click();
  await page.getByRole("button", { name: "Import 1 row" }).click();
  await page.getByText("Import complete").waitFor();
  const { leads } = (await client.get("/crm/leads")).body;
  const told = leads.map(({ name, phone, comments, title }: Record<string, unknown>) => ({
    name,
    phone,
    comments,
    title,
  }));
  assert.deepEqual(told, [lead, lead]);
});

test("unsuitable files are reported before the upload: workbooks, empty files, files without an owner", async (t) => {
  const pages = await startConsole(t);
  if (pages === undefined) return;
  const page = await pages.open("agent", "/imports/new?type=deals");
  const workbook = { name: "deals.xlsx", mimeType: "", buffer: Buffer.from("PK\u0003\u0004…") };
  await chooseFile(page, workbook);
  await page.getByText("Spreadsheet files are not supported").waitFor();
  await assertAccessible(page);
  await chooseFile(page, { ...workbook, name: "none.csv", buffer: Buffer.alloc(0) });
  await page.getByText("This file is empty").waitFor();
  const orphans = ["Deal Name,Amount,Whose", "Roof,100,Moor Ltd", "Floor,200,Nobody"];
  await chooseFile(page, fileOf(orphans, "deals.csv"));
  await page.getByText(/no column provides the account or contact of deals/).waitFor();
  assert.equal(await page.getByRole("button", { name: /^Import/ }).count(), 0);
  await page.getByLabel("Field for the column Whose").selectOption("account_id");
  await pages.client.post("/crm/accounts", { name: "Moor Ltd" });
  await page.getByRole("button", { name: "Check again" }).click();
  await page.getByRole("button", { name: "Import 1 row" }).waitFor();
  await page
    .getByText(/Nobody/)
    .first()
    .waitFor();
  // A rejected option shows the service's message, and all other choices remain.
  await page.getByLabel("Default account").fill("x".repeat(1001));
  await page.getByRole("button", { name: "Check again" }).click();
  await page.getByText(/at most 1,000 characters/).waitFor();
  await page.getByLabel("Default account").fill("Moor Ltd");
  await page.getByRole("button", { name: "Check again" }).click();
  await page.getByRole("button", { name: "Import 1 row" }).click();
  await page.getByText("Import complete").waitFor();
  const { body } = await pages.client.get("/crm/deals");
  assert.deepEqual(
    body.map((deal: Record<string, unknown>) => [deal["name"], deal["account_name"]]),
    [["Roof", "Moor Ltd"]],
  );
});

test("an import continues in the background, can be stopped, and continues with the same file only", async (t) => {
  const pages = await startConsole(t);
  if (pages === undefined) return;
  const { client } = pages;
  const remark = "as they wrote, ".repeat(40);
  const rows = Array.from({ length: 9500 }, (_, at) => `Person ${at};p${at}@example.com;${remark}`);
  const large = fileOf(["Name;Email;Remarks", ...rows]);
  const page = await pages.open("agent", "/imports/new?type=contacts");
  await chooseFile(page, large);
  await page.getByText(/The file is large, so only the first/).waitFor(PATIENCE);
  await throttle(page, 150_000);
  await page.getByRole("button", { name: "Import the whole file" }).click();
  await page.getByRole("heading", { name: "messy.csv" }).waitFor();
  await page.getByText("Importing the file").waitFor();
  const id = new URL(page.url()).pathname.split("/").at(-1);
  const read = async () => (await client.get(`/crm/imports/${id}`)).body;
  await eventually(async () => (await read()).rows > 0);
  // From here on, the file arrives too slowly for the import to end before it is stopped.
  await throttle(page, 8000);
  await assertAccessible(page);
  await page.getByRole("link", { name: "Imports", exact: true }).first().click();
  await page.getByText("Running").waitFor();
  await page.getByRole("link", { name: "messy.csv" }).click();
  await page.getByText(/[1-9][\d,]* rows processed/).waitFor();
  await page.getByRole("button", { name: "Stop" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Stop" }).click();
  await page.getByText("Import interrupted").waitFor();
  await throttle(page, -1);
  await assertAccessible(page);
  await chooseFile(page, fileOf(["Name;Email;Remarks", "Another;a@example.com;"]));
  await page.getByText("This is not the file that the import started with").waitFor();
  const body = await read();
  assert.equal(body.state, "interrupted");
  assert.ok(body.rows > 0 && body.rows < 9500, `${body.rows} rows`);
  await chooseFile(page, large);
  await page.getByText("Import complete").waitFor(PATIENCE);
  assert.equal(await countAt(page, "created"), "9,500");
});

test("users with read access see imports but cannot create any, in the service either", async (t) => {
  const pages = await startConsole(t);
  if (pages === undefined) return;
  const made = await pages.client.post("/crm/imports", { type: "leads", file_name: "left.csv" });
  const page = await pages.open("viewer", "/imports");
  await page.getByRole("link", { name: "left.csv" }).click();
  await page.getByText("Waiting for the file").waitFor();
  assert.equal(await page.locator("input[type=file]").count(), 0);
  await assertAccessible(page);
  await page.goto(`${pages.api.url}/imports/new`);
  await page.getByRole("heading", { name: "No access" }).waitFor();
  await page.goto(`${pages.api.url}/imports/${"0".repeat(24)}`);
  await page.getByRole("heading", { name: "Page not found" }).waitFor();
  const reader = await pages.client.token(["records:read"]);
  assert.equal((await reader.put(`/crm/imports/${made.body.id}/data`, {})).status, 403);
});
