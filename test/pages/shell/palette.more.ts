/** The command palette: finding pages, actions and records from anywhere with the keyboard. */

import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import type { Locator, Page } from "playwright-core";
import { ok } from "../../api/samples.ts";
import { assertAccessible, startConsole, type ConsoleTest, type Role } from "../../kit/console.ts";

const paletteOf = (page: Page): Locator => page.getByRole("dialog", { name: "Search" });

/** Opens the palette with its shortcut and types a search. */
async function type(page: Page, text: string): Promise<Locator> {
  await page.keyboard.press("Control+k");
  const palette = paletteOf(page);
  await palette.getByRole("combobox").fill(text);
  return palette;
}

/** Returns the accessible name of the option that Enter selects. */
async function chosenIn(palette: Locator): Promise<string> {
  const id = await palette.getByRole("combobox").getAttribute("aria-activedescendant");
  const option = palette.locator(`[id="${id}"]`);
  assert.equal(await option.getAttribute("aria-selected"), "true");
  return option.innerText();
}

/** Types a search and selects the first result, which must have this name. */
async function take(page: Page, text: string, name: string): Promise<void> {
  const palette = await type(page, text);
  await palette.getByRole("option", { name }).first().waitFor();
  assert.match(await chosenIn(palette), new RegExp(name));
  await page.keyboard.press("Enter");
  await palette.waitFor({ state: "hidden" });
}

async function start(t: TestContext): Promise<ConsoleTest | undefined> {
  const pages = await startConsole(t);
  if (pages === undefined) return undefined;
  const other = await pages.api.tenant();
  ok(await other.post("/crm/leads", { name: "Mara of another business" }));
  return pages;
}

test("pages, actions and records can be found and opened with the keyboard", async (t) => {
  const pages = await start(t);
  if (pages === undefined) return;
  const post = async (path: string, body: unknown): Promise<string> =>
    ok(await pages.client.post(path, body)).body._id;
  const contact = { email: "mara@example.com", phone: "(212) 555-0101" };
  const lead = await post("/crm/leads", { name: "Mara Lind", ...contact });
  const account = await post("/crm/accounts", { name: "Maraschino (Imports)" });
  const deal = await post("/crm/opportunities", { name: "Two cranes", account_id: account });
  await post("/crm/leads", { name: "Ines Falk", phone: "(212) 555-0102" });

  const page = await pages.open("owner", "/leads");
  const box = page.getByRole("searchbox");
  await box.focus();
  // Letters typed immediately after the shortcut are not lost, and none ends up in the field behind the palette.
  await page.keyboard.press("Control+k");
  await paletteOf(page).waitFor();
  await page.keyboard.press("Escape");
  await paletteOf(page).waitFor({ state: "hidden" });
  await page.locator("[type=search]:focus").waitFor();
  await page.keyboard.press("Control+k");
  await page.keyboard.type("mara", { delay: 20 });
  const palette = paletteOf(page);
  await palette.getByRole("group", { name: "Accounts" }).waitFor();
  assert.equal(await box.inputValue(), "");
  assert.match(await chosenIn(palette), /Mara Lind\s+mara@example\.com · Assigned/);
  await palette.getByRole("status").getByText("2 results").waitFor();
  await assertAccessible(page);
  await page.keyboard.press("ArrowDown");
  assert.match(await chosenIn(palette), /Maraschino/);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.waitForURL(`**/leads/${lead}`);
  await palette.waitFor({ state: "hidden" });

  const found = await type(page, "ines");
  await found.getByRole("option", { name: "Ines Falk" }).waitFor();
  assert.match(await chosenIn(found), /Ines Falk\s+\(212\) 555-0102 · Assigned/);
  await page.keyboard.press("Escape");
  await found.waitFor({ state: "hidden" });
  await take(page, "MARA@example.com", "Mara Lind");
  await take(page, "+1 212 555 0101", "Mara Lind");
  await take(page, "(imports", "Maraschino");
  await page.waitForURL(`**/accounts/${account}`);
  await take(page, "cran", "Two cranes");
  await page.waitForURL(`**/deals/${deal}`);
  await take(page, ` ${lead} `, "Mara Lind");
  await page.waitForURL(`**/leads/${lead}`);
  await take(page, "create deal", "Create deal");
  await page.waitForURL("**/deals/new");
  await take(page, "aud", "Audit log");
  await page.waitForURL("**/settings/audit");
  await take(page, "invite", "Invite user");
  await page.getByRole("dialog", { name: "Invite user" }).waitFor();
  // The palette does not open while a dialog is open, because the dialog's input would be lost.
  await page.keyboard.press("Control+k");
  assert.equal(await paletteOf(page).count(), 0);
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "hidden" });

  await page.getByRole("button", { name: "Search", exact: true }).click();
  await paletteOf(page).getByRole("combobox").fill("no such name");
  await paletteOf(page).getByText("No results for “no such name”").first().waitFor();
  await assertAccessible(page);
  await page.keyboard.press("Escape");
  await paletteOf(page).waitFor({ state: "hidden" });
  await take(page, "dark", "Use dark theme");
  await page.locator('html[data-mantine-color-scheme="dark"]').waitFor({ state: "attached" });
  await take(page, "sign out", "Sign out");
  await page.waitForURL("**/sign-in");
});

test("a page that loads behind the palette does not take the focus", async (t) => {
  const pages = await start(t);
  if (pages === undefined) return;
  const page = await pages.open("owner", "/leads");
  await page.locator("[type=search]").waitFor();
  const palette = await type(page, "aud");
  await palette.getByRole("option", { name: "Audit log" }).waitFor();
  await page.evaluate("document.querySelector('[type=search]').focus()");
  await palette.getByRole("combobox").and(page.locator(":focus")).waitFor();
  await page.keyboard.press("Enter");
  await page.waitForURL("**/settings/audit");
});

const OFFERED: Readonly<Record<Role, readonly string[]>> = {
  owner: ["Leads", "Review", "Partners", "Create lead", "Import a file", "Invite user"],
  admin: ["Leads", "Review", "Partners", "Create lead", "Import a file", "Invite user"],
  reviewer: ["Leads", "Review"],
  agent: ["Leads", "Create lead", "Import a file"],
  viewer: ["Leads"],
};

test("each role is offered only what it may do", async (t) => {
  const pages = await start(t);
  if (pages === undefined) return;
  for (const [role, offered] of Object.entries(OFFERED) as [Role, readonly string[]][]) {
    const page = await pages.open(role);
    await page.locator("h1").first().waitFor();
    const palette = await type(page, "");
    for (const name of OFFERED.owner) {
      const option = palette
        .getByRole("option")
        .filter({ has: page.getByText(name, { exact: true }) });
      assert.equal(await option.count(), offered.includes(name) ? 1 : 0, `${name} for ${role}`);
    }
  }
});

test("more results link to the table, and a failed search shows an error", async (t) => {
  const pages = await start(t);
  if (pages === undefined) return;
  for (let at = 0; at < 7; at += 1) {
    ok(await pages.client.post("/crm/leads", { name: `Mara ${at}` }));
  }
  const page = await pages.open("viewer");
  await page.locator("h1").first().waitFor();
  await page.setViewportSize({ width: 360, height: 740 });
  await page.getByRole("button", { name: "Search", exact: true }).click();
  const palette = paletteOf(page);
  await palette.getByRole("combobox").fill("mara");
  await palette.getByRole("option", { name: "View all leads matching “mara”" }).click();
  await page.waitForURL("**/leads?q=mara");
  await palette.waitFor({ state: "hidden" });

  const asked = "**/crm/contacts?*";
  await page.route(asked, (route) =>
    route.fulfill({ status: 403, json: { detail: "Not for you", code: "not_permitted" } }),
  );
  await page.getByRole("button", { name: "Search", exact: true }).click();
  await palette.getByRole("combobox").fill("someone");
  await palette.getByRole("alert").getByText("Not for you").waitFor();
  await assertAccessible(page);
  await page.unroute(asked);
  await palette.getByRole("button", { name: "Try again" }).click();
  await palette.getByText("No results for “someone”").first().waitFor();

  await page.context().setOffline(true);
  await palette.getByRole("combobox").fill("leads");
  await palette.getByText("You are offline.").waitFor();
  assert.match(await chosenIn(palette), /Leads/);
});

test("a converted lead has the same status as in the list", async (t) => {
  const pages = await start(t);
  if (pages === undefined) return;
  const { body } = await pages.client.post("/crm/leads", { name: "Nina Quay" });
  ok(await pages.client.post(`/crm/leads/${body._id}/convert`, {}));
  const page = await pages.open("owner", "/leads");
  await page.getByRole("searchbox").waitFor();
  await page.keyboard.press("Control+k");
  const palette = paletteOf(page);
  await palette.waitFor();
  await page.keyboard.type("nina", { delay: 20 });
  await palette.getByRole("option", { name: /Nina Quay.*Converted/ }).waitFor();
});
