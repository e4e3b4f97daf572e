/**
 * Imports every file in a folder through the wizard: the files in examples/, or your own with `OWN_FILES=<folder> npm
 * run test:pages`. Each file is imported as leads into a new tenant with the suggested column mapping. The test prints
 * the outcome and checks that the counts add up.
 */

import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { basename, join } from "node:path";
import test, { type TestContext } from "node:test";
import type { Page } from "playwright-core";
import { startConsole } from "../../kit/console.ts";
import { casesOf } from "../../kit/long.ts";

const FOLDER = process.env["OWN_FILES"] ?? join(import.meta.dirname, "../../../examples");

const files = readdirSync(FOLDER, { recursive: true, encoding: "utf8" })
  .filter((name) => /\.(csv|tsv|txt|json|ndjson|jsonl)$/i.test(name))
  .toSorted();

test("the folder contains files to import", () => {
  assert.ok(files.length > 0, `${FOLDER} contains no file to import`);
});

/** Tests in `test/files` read each format, so the short form tries only some files. */
const tried = process.env["OWN_FILES"] === undefined ? casesOf(files, 2) : files;

for (const file of tried) {
  test(`${file} goes through the wizard`, async (t) => {
    t.diagnostic(`${file}: ${await importFile(t, join(FOLDER, file))}`);
  });
}

/** Imports a file and returns a summary of the result. */
async function importFile(t: TestContext, path: string): Promise<string> {
  const pages = await startConsole(t);
  if (pages === undefined) return "not tried";
  const page = await pages.open("agent", "/imports/new");
  await page.locator("input[type=file]").setInputFiles(path);
  const start = page.getByRole("button", { name: /^Import / });
  const refusal = page.getByRole("alert");
  // Warnings can appear before the check has ended. If the file cannot be checked at all, only an error is shown.
  const checked = page.locator('section[aria-busy="false"]');
  const failed = page.getByRole("button", { name: "Try again" });
  await checked.or(failed).first().waitFor({ timeout: 60_000 });
  if ((await start.count()) === 0 || (await start.isDisabled())) {
    assert.equal(await countIn(pages), 0);
    const why = await refusal.or(page.getByText("No rows can be imported")).allInnerTexts();
    assert.ok(why.length > 0, "nothing says why");
    return `nothing imported: ${why.join(" ").replaceAll(/\s+/g, " ")}`;
  }
  await start.click();
  await page.getByText("Import complete").waitFor({ timeout: 120_000 });
  return assertAddsUp(pages, page, basename(path));
}

type Pages = NonNullable<Awaited<ReturnType<typeof startConsole>>>;

const countIn = async ({ api, client }: Pages): Promise<number> => {
  const [row] = await api.sql`
    select count(*)::int as leads from leads where tenant_id = ${client.tenantId}`;
  return row?.["leads"] as number;
};

/**
 * Asserts that every row has a result and that the counts agree with the records and the rejected rows. Returns the
 * counts.
 */
async function assertAddsUp(pages: Pages, page: Page, name: string): Promise<string> {
  const { client } = pages;
  const told = (await client.get(`/crm/imports/${page.url().split("/").at(-1)}`)).body;
  const { rows, created, updated, unchanged, refused, warned } = told;
  assert.equal(told.file_name, name);
  assert.equal(created + updated + unchanged + refused, rows);
  assert.equal(await countIn(pages), created);
  const link = page.getByRole("link", { name: "Download rejected rows" });
  assert.equal(await link.count(), refused > 0 ? 1 : 0);
  if (refused > 0) {
    const rejects = await client.get(String(await link.getAttribute("href")));
    assert.equal(rejects.status, 200);
    assert.match(rejects.text, /reject_reason/);
  }
  return `${rows} rows: ${created} created, ${updated} updated, ${unchanged} unchanged, ${refused} refused, ${warned} with warnings`;
}
