/** The import wizard before anything is written: changes to existing records, and the encoding preview. */

import assert from "node:assert/strict";
import test from "node:test";
import iconv from "iconv-lite";
import { ENCODINGS as SHOWN } from "../../../console/src/files/import/encodings.ts";
import { ENCODINGS } from "../../../src/files/read/encodings.ts";
import { assertAccessible, startConsole } from "../../kit/console.ts";

const SHOTS = process.env["SHOTS"];

test("the list of encodings matches the service", () => assert.deepEqual(SHOWN, ENCODINGS));

test("records that an update changes are shown before and after, and the encoding has a preview", async (t) => {
  const pages = await startConsole(t);
  if (pages === undefined) return;
  const { client } = pages;
  for (const key of [1, 2, 3, 4, 5, 6]) {
    const answer = await client.post("/crm/leads", {
      name: `Lead ${key}`,
      external_id: `${key}`,
      title: "Mr",
    });
    assert.equal(answer.status, 200, answer.text);
  }
  const rows = [1, 2, 3, 4, 5, 6].map((key) => `${key},Łukasz Gołąb ${key},Właściciel,03/04/2025`);
  const text = ["Key,name,title,decision_date", ...rows, "7,Nowy,x,", ""].join("\r\n");
  const page = await pages.open("agent", "/imports/new");
  await page.locator("input[type=file]").setInputFiles({
    name: "leads.csv",
    mimeType: "text/csv",
    buffer: iconv.encode(text, "windows-1250"),
  });
  await page.getByRole("button", { name: "Import 7 rows" }).waitFor();
  await page.getByText("Review before you import").waitFor();
  await page.getByText("The encoding windows-1250 is a guess").waitFor();
  await page.getByText('The column "decision_date" is ambiguous').waitFor();
  const mode = page.getByLabel("Import mode");
  assert.deepEqual(await mode.locator("option").allInnerTexts(), ["Create new records only"]);
  // Mapping a column to external_id also sets the unique ID column.
  const keyField = page.getByLabel("Field for the column Key");
  await keyField.selectOption("external_id");
  await mode.locator("option", { hasText: "Create and update" }).waitFor({ state: "attached" });
  await keyField.selectOption("-");
  await page.getByLabel("Unique ID column").selectOption("Key");
  await mode.selectOption("update");
  await page.getByLabel("Date order").selectOption("dmy");
  const encoding = page.getByLabel("Encoding", { exact: true });
  await encoding.selectOption("windows-1252");
  const preview = page.getByRole("region", { name: "Preview in windows-1252" });
  await preview.getByText("£ukasz Go³¹b 1").waitFor();
  await encoding.selectOption("windows-1250");
  await page
    .getByRole("region", { name: "Preview in windows-1250" })
    .getByText("Łukasz Gołąb 1")
    .waitFor();
  await page.getByRole("button", { name: "Check again" }).click();
  await page.getByRole("heading", { name: "6 rows would change existing records" }).waitFor();
  const changes = page.getByRole("table", { name: "6 rows would change existing records" });
  await changes.getByRole("row").filter({ hasText: "MrWłaściciel" }).first().waitFor();
  assert.equal(await changes.getByRole("row").filter({ hasText: "Właściciel" }).count(), 5);
  assert.equal(await page.getByText("Review before you import").count(), 0);
  await assertAccessible(page);
  if (SHOTS !== undefined) {
    for (const scheme of ["light", "dark"] as const) {
      for (const width of [390, 1440]) {
        await page.emulateMedia({ colorScheme: scheme });
        await page.setViewportSize({ width, height: 900 });
        await page.screenshot({ path: `${SHOTS}/${scheme}-${width}.png`, fullPage: true });
      }
    }
  }
  await page.getByRole("button", { name: "Import 6 rows" }).click();
  await page.getByText("Import complete").waitFor();
  const { body } = await client.get("/crm/leads", { page_size: 500 });
  assert.equal(body.leads.length, 6);
  assert.equal(body.leads[5].title, "Właściciel");
  assert.equal(body.leads[5].decision_date, Date.UTC(2025, 3, 3) / 1000);
});
