/** Dropdowns in which users type: Enter chooses an option and does not submit the form. */

import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import type { Locator, Page } from "playwright-core";
import { ok } from "../../api/samples.ts";
import { holdRequests, startConsole } from "../../kit/console.ts";
import { eventually } from "../../kit/eventually.ts";

const SOURCES = join(import.meta.dirname, "../../../console/src");
/** Waits until an input contains a text. */
const shows = (input: Locator, text: string) =>
  eventually(
    () => input.inputValue(),
    (value) => value.startsWith(text),
  );
const box = (page: Page, name: string) => page.getByRole("combobox", { name });

test("all searchable dropdowns use the shared components", () => {
  const wrappers = "ui/forms/search-select.tsx";
  const found = globSync("**/*.tsx", { cwd: SOURCES })
    .filter((file) => file !== wrappers)
    .filter((file) => {
      const source = readFileSync(join(SOURCES, file), "utf8");
      const isPlain = /<(Select|MultiSelect)\b[^>]*?\bsearchable\b/.test(source);
      return isPlain || /<(Autocomplete|Combobox)\b/.test(source);
    });
  assert.deepEqual(found, []);
});

test("Enter in a new partner's lead sources selects the first match", async (t) => {
  const pages = await startConsole(t);
  if (pages === undefined) return;
  const page = await pages.open("admin", "/partners/new");
  await page.getByRole("textbox", { name: "Name" }).fill("Harbour Referrals");
  const sources = box(page, "Lead sources");
  await sources.pressSequentially("Referral");
  const match = page.getByRole("option", { name: "Referral" });
  await page.locator("[data-combobox-selected]").getByText("Referral").waitFor();
  await sources.press("Enter");
  await page.locator(".mantine-Pill-root").getByText("Referral").waitFor();
  assert.equal(await sources.inputValue(), "");

  // A second Enter closes the dropdown, and does not select anything else.
  await sources.press("Enter");
  await match.waitFor({ state: "hidden" });

  // A search does not offer selected options, and Enter keeps text without a match.
  for (const text of ["Referral", "zzz"]) {
    await sources.fill(text);
    await page.getByText("No results").waitFor();
    await sources.press("Enter");
    await sources.press("Escape");
    await sources.press("Enter");
    assert.equal(await sources.inputValue(), text);
  }
  // The form is not sent while an input contains text that was not selected.
  await page.getByRole("button", { name: /^Create/ }).click();
  await page.getByText("“zzz” was not selected").waitFor();
  assert.deepEqual((await pages.client.get("/crm/admin/partners")).body, []);

  // Typing an option's whole label counts as selecting it.
  await sources.fill("google");
  await page.getByRole("button", { name: /^Create/ }).click();
  await page.getByRole("heading", { name: "Share these credentials" }).waitFor();
  const [made] = (await pages.client.get("/crm/admin/partners")).body;
  assert.deepEqual(made.allowed_marketing_sources, ["Referral", "Google"]);
});

test("Enter in a new lead's source selects the first match, and tags are added on blur", async (t) => {
  const pages = await startConsole(t);
  if (pages === undefined) return;
  const page = await pages.open("agent", "/leads/new");
  await page.getByLabel(/^Name/).fill("Mara Lind");
  const source = box(page, "Source");
  await source.fill("refer");
  await source.press("Enter");
  await shows(source, "Referral");

  // Typing the selected label again selects nothing else.
  await source.fill("Referra");
  await source.pressSequentially("l");
  await source.press("Enter");
  await shows(source, "Referral");
  await source.fill("zzz");
  await source.press("Tab");
  await page.getByText("“zzz” was not selected").waitFor();
  await shows(source, "Referral");

  await page.getByRole("combobox", { name: "Tags" }).fill("vip");
  await page.getByRole("button", { name: "Create", exact: true }).click();
  await page.getByRole("heading", { name: "Mara Lind" }).waitFor();
  const [lead] = (await pages.client.get("/crm/leads")).body.leads;
  assert.deepEqual([lead.source, lead.tags], ["Referral", ["vip"]]);
});

test("Enter in a reference waits for the results of the search", async (t) => {
  const pages = await startConsole(t);
  if (pages === undefined) return;
  const { client } = pages;
  for (const name of ["Aardvark", "Bramble", "Cobalt"]) {
    ok(await client.post("/crm/accounts", { name }));
  }
  const page = await pages.open("agent", "/deals/new");
  await page.getByText("Choose account or contact").waitFor();
  assert.equal(await page.getByText("Choose account or contact").count(), 1);
  await page.getByLabel(/^Name/).fill("Tea for a year");
  const account = box(page, "Account");
  const search = await holdRequests(page, "**/crm/accounts?*");
  await account.pressSequentially("Cobalt");
  await account.press("Enter");
  assert.equal(await account.inputValue(), "Cobalt");
  search();
  await page.locator("[data-combobox-selected]").getByText("Cobalt", { exact: true }).waitFor();
  await account.press("Enter");
  await page.getByText("Choose account or contact").waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Create", exact: true }).click();
  await page.getByRole("heading", { name: "Tea for a year" }).waitFor();
  const [deal] = (await client.get("/crm/deals")).body;
  assert.equal(deal.account_name, "Cobalt");
});

test("Enter in the default country selects the first match", async (t) => {
  const pages = await startConsole(t);
  if (pages === undefined) return;
  const page = await pages.open("owner", "/settings/tenant");
  const country = box(page, "Default country");
  await country.fill("germ");
  await country.press("Enter");
  await shows(country, "Germany");
  assert.equal((await pages.client.get("/crm/admin/tenant")).body.default_country, "US");
  // Once the dropdown is closed, Enter saves.
  await country.press("Enter");
  await page.getByText("Settings saved").waitFor();
  assert.equal((await pages.client.get("/crm/admin/tenant")).body.default_country, "DE");
});
