/** The preview step of the import wizard with no rows, few rows, many rows, and long values. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { assertAccessible, startConsole, type ConsoleTest } from "../../kit/console.ts";
import { isLong } from "../../kit/long.ts";

const SHOTS = process.env["SHOTS"];

const LONG_NAME =
  `Remarks about the customer ${"and everything else that was said on the phone ".repeat(6)}`.slice(
    0,
    300,
  );
const LONG_CELL = "A long story of a visit, with many words. ".repeat(50).slice(0, 2000);
const LONG_WORD = "Donaudampfschifffahrt".repeat(10).slice(0, 200);

/**
 * Returns row number `at` of the file. Depending on `at`, the row creates a record, changes a record, changes that
 * record again, contains an unrecognized value, or is rejected.
 */
function rowOf(at: number): string {
  const cells = [
    String(at % 100),
    at % 50 === 3 ? "x".repeat(501) : `Lead ${at}`,
    `"${at % 3 === 0 ? LONG_CELL : LONG_WORD}"`,
    at % 2 === 0 ? LONG_WORD : "Website",
    at % 5 === 0 ? LONG_WORD : "03/04/2025",
    LONG_WORD,
  ];
  return cells.join(",");
}

const HEADINGS = ["Key", "name", "comments", "source", "decision_date", LONG_NAME].join(",");
const fileOf = (rows: number) =>
  [HEADINGS, ...Array.from({ length: rows }, (_, at) => rowOf(at)), ""].join("\r\n");

async function openCheck({ open, client }: ConsoleTest, rows: number) {
  for (let key = 0; key < 10; key++) {
    const lead = { name: `Lead ${key}`, external_id: `${key}`, comments: LONG_WORD };
    assert.equal((await client.post("/crm/leads", lead)).status, 200);
  }
  const page = await open("agent", "/imports/new?type=leads");
  const buffer = Buffer.from(fileOf(rows));
  const name = `${"leads-of-the-spring-fair-".repeat(8)}.csv`;
  await page.locator("input[type=file]").setInputFiles({ name, mimeType: "text/csv", buffer });
  await page.getByRole("heading", { name: "Preview" }).waitFor();
  await page.getByLabel("Unique ID column").selectOption("Key");
  await page.getByRole("button", { name: "Check again" }).click();
  await page.getByRole("button", { name: /^Import / }).waitFor();
  return page;
}

/** The text of every cell that overflows, and of the page if it overflows. Headers for screen readers are ignored. */
const CUT_OFF = `[document.documentElement, ...document.querySelectorAll("main td, main th")]
  .filter(({ scrollWidth, clientWidth }) => clientWidth > 1 && scrollWidth > clientWidth + 1)
  .map(({ tagName, textContent }) => tagName + " " + textContent.slice(0, 40))`;

for (const rows of isLong ? [0, 3, 500] : [0, 500]) {
  test(`the preview of ${rows} rows fits phone and desktop screens with long texts`, async (t) => {
    const pages = await startConsole(t);
    if (pages === undefined) return;
    const page = await openCheck(pages, rows);
    for (const width of [390, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      assert.deepEqual(await page.evaluate(CUT_OFF), [], `${width} px`);
      await assertAccessible(page);
      for (const scheme of ["light", "dark"] as const) {
        if (SHOTS === undefined) continue;
        await page.emulateMedia({ colorScheme: scheme });
        await page.screenshot({ path: `${SHOTS}/${rows}-${width}-${scheme}.png`, fullPage: true });
      }
    }
    const importing = page.getByRole("button", { name: /^Import / });
    if (rows === 0) {
      await page.getByText("The file has column headers but no rows.").waitFor();
      assert.ok(await importing.isDisabled());
      return;
    }
    const title =
      rows === 3 ? "3 rows would change existing records" : /^\d+ rows would change 9 existing/;
    const changes = page.getByRole("table", { name: title });
    // The formatted date shows that the first number was read as the month.
    await changes
      .getByText(/^Mar 4, 2025/)
      .first()
      .waitFor();
    assert.equal(await changes.getByRole("rowheader").count(), rows === 3 ? 3 : 5);
    const decision = page
      .getByRole("table", { name: "Numbers and dates" })
      .getByRole("row", { name: "decision_date Dates with “/”: month first Default, because" });
    await decision.getByText("03/04/2025").waitFor();
    await page.getByTitle(LONG_NAME, { exact: true }).waitFor();
    await page.getByLabel(`Import ${LONG_WORD} as Source`).waitFor();
    await importing.click();
    await page.getByText("Import complete").waitFor();
    await decision.waitFor();
    for (const width of [390, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      assert.deepEqual(await page.evaluate(CUT_OFF), [], `the result at ${width} px`);
      if (SHOTS !== undefined)
        await page.screenshot({ path: `${SHOTS}/done-${rows}-${width}.png`, fullPage: true });
    }
    await assertAccessible(page);
  });
}

test("choosing another file ends the check of the first one", async (t) => {
  const pages = await startConsole(t);
  if (pages === undefined) return;
  const page = await pages.open("agent", "/imports/new?type=leads");
  const choose = (name: string) =>
    page.locator("input[type=file]").setInputFiles({
      name: `${name}.csv`,
      mimeType: "text/csv",
      buffer: Buffer.from(`name\n${name}\n`),
    });
  // The check of the first file never ends.
  await page.route("**/data", () => undefined, { times: 1 });
  const held = page.waitForRequest("**/data");
  await choose("First");
  const ended = page.waitForEvent("requestfailed", {
    predicate: (request) => request.url().endsWith("/data"),
  });
  await held;
  await page.getByRole("button", { name: "Choose another file" }).click();
  await choose("Second");
  await ended;
  await page.getByText("Second", { exact: true }).first().waitFor();
  await page.getByRole("button", { name: /^Import / }).waitFor();
});
