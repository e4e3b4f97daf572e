/** Record tables: scrolling, search, columns, and bulk changes. */

import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import type { Locator, Page } from "playwright-core";
import type { Client } from "../../kit/api.ts";
import { assertAccessible, holdRequests, startConsole } from "../../kit/console.ts";
import { eventually } from "../../kit/eventually.ts";
import { forward, installClock, pauseClock } from "../../kit/page-clock.ts";

const LEADS = 450;

/** Creates leads whose alphabetical order matches the order of creation. */
async function addLeads(client: Client, count: number): Promise<void> {
  const records = Array.from({ length: count }, (_, n) => ({
    name: `Person ${String(n).padStart(3, "0")}`,
    email: `person.${n}@example.com`,
    phone: `(212) 555-${String(n).padStart(4, "0")}`,
    status: ["open", "assigned", "contacted"][n % 3],
    tags: n === 0 ? Array.from({ length: 10 }, (_tag, k) => `tag ${k}`) : [],
  }));
  const { status, text } = await client.post("/crm/leads/batch", { items: records });
  assert.equal(status, 207, text);
}

const row = (page: Page, name: string): Locator =>
  page.getByRole("row").filter({ has: page.getByRole("link", { name, exact: true }) });

const addressOf = (page: Page): URLSearchParams => new URL(page.url()).searchParams;

const found = (page: Page, text: string): Promise<void> =>
  page.getByRole("status").getByText(text, { exact: true }).waitFor();

test("a table is scrolled, sorted and opened by mouse and keyboard", async (t) => {
  const pages = await startConsole(t);
  if (pages === undefined) return;
  await addLeads(pages.client, LEADS);
  const page = await pages.open("owner", "/leads");
  await found(page, `${LEADS} leads`);
  await row(page, "Person 449").waitFor();
  assert.equal(await page.getByRole("grid").getAttribute("aria-rowcount"), `${LEADS + 1}`);
  assert.ok((await page.getByRole("row").count()) < 60);
  await assertAccessible(page);

  const name = page.getByRole("columnheader", { name: "Name" });
  await name.getByRole("button").click();
  await row(page, "Person 000").waitFor();
  assert.equal(await name.getAttribute("aria-sort"), "ascending");
  const status = page.getByRole("columnheader", { name: "Status" });
  await status.getByRole("button").click({ modifiers: ["Shift"] });
  await page.waitForURL(/sort=name%2Clead_status/);
  // The address changes before the rows do.
  await page.locator('[role="columnheader"][aria-sort]').filter({ hasText: "Status" }).waitFor();
  assert.equal(
    await page.getByRole("columnheader", { name: "Tags" }).getByRole("button").count(),
    0,
  );

  await row(page, "Person 000").focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("End");
  await row(page, "Person 449").waitFor();
  assert.equal(
    await page.evaluate("document.activeElement.getAttribute('aria-rowindex')"),
    `${LEADS + 1}`,
  );
  await page.keyboard.press("Space");
  await page.getByText("1 selected").waitFor();
  assert.equal(await row(page, "Person 449").getAttribute("aria-selected"), "true");
  await page.keyboard.press("PageUp");
  await page.keyboard.press("Home");
  await row(page, "Person 000").waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/leads\/[0-9a-f]{24}$/);
  const { body } = await pages.client.get(`/crm${new URL(page.url()).pathname}`);
  assert.equal(body.name, "Person 001");
  await page.goBack();
  await row(page, "Person 001").waitFor();
  assert.equal(addressOf(page).get("sort"), "name,lead_status");

  await page.goto(`${pages.api.url}/nonsense`);
  await page.getByRole("heading", { name: "Page not found" }).waitFor();
});

test("search and filter are in the URL, in curl and in the export", async (t) => {
  const pages = await startConsole(t);
  if (pages === undefined) return;
  await addLeads(pages.client, 30);
  const page = await pages.open("viewer", "/leads");
  await found(page, "30 leads");
  await page.getByRole("searchbox").fill("person 02");
  await found(page, "10 leads");
  assert.equal(addressOf(page).get("q"), "person 02");

  await page.getByRole("button", { name: "Filter" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Apply" }).click();
  await dialog.getByText("Enter a value.").waitFor();
  await dialog.getByRole("combobox", { name: "Value" }).click();
  await page.getByRole("option", { name: "Open" }).click();
  await page.getByRole("option", { name: "Contacted" }).click();
  await page.keyboard.press("Tab");
  await assertAccessible(page);
  await dialog.getByRole("button", { name: "Apply" }).click();
  await dialog.waitFor({ state: "detached" });
  await page.getByText("Status is any of Open, Contacted").waitFor();
  const filter = { lead_status: { $in: ["open", "contacted"] } };
  assert.deepEqual(JSON.parse(JSON.parse(addressOf(page).get("filter") ?? "") as string), filter);
  await found(page, "7 leads");

  await page.getByRole("button", { name: "More" }).click();
  for (const [name, mark] of [
    ["Export as CSV for spreadsheets", "\u{feff}"],
    ["Export as plain CSV", ""],
  ] as const) {
    const file = page.getByRole("menuitem", { name });
    assert.equal(await file.getAttribute("download"), "leads.csv");
    const href = String(await file.getAttribute("href"));
    const bytes: Buffer = await (await page.request.get(pages.api.url + href)).body();
    const text: string = bytes.toString();
    assert.ok(text.startsWith(`${mark}_id,`), text.slice(0, 40));
    assert.equal(text.trim().split("\n").length, 8);
  }
  await page.getByRole("menuitem", { name: "Copy as curl" }).click();
  await dialog.getByText(JSON.stringify(filter)).waitFor();
  await dialog.getByText("curl -sG").waitFor();
  await assertAccessible(page);
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });

  await page.getByRole("button", { name: "Filter" }).first().click();
  await dialog.getByRole("button", { name: "Edit as JSON" }).click();
  const json = dialog.getByRole("textbox", { name: /match_filter_dict/ });
  await json.fill('{"birth_year": 1980}');
  await dialog.getByRole("button", { name: "Apply" }).click();
  await dialog
    .getByText(/birth_year/)
    .nth(1)
    .waitFor();
  assert.equal(await json.getAttribute("aria-invalid"), "true");
  await json.fill('{"$nor": [{"lead_status": "contacted"}]}');
  await dialog.getByText("This filter cannot be shown as conditions.").waitFor();
  await dialog.getByRole("button", { name: "Apply" }).click();
  await dialog.waitFor({ state: "detached" });
  await found(page, "6 leads");

  await page.getByRole("searchbox").fill("no such name");
  await page.getByRole("heading", { name: "No matching records" }).waitFor();
  await assertAccessible(page);
  await page.getByRole("button", { name: "Clear search and filter" }).click();
  await found(page, "30 leads");
  await page.getByRole("button", { name: "Created", exact: true }).first().click();
  await page.getByLabel("Created on or before").fill("2020-01-01");
  await page.getByRole("heading", { name: "No matching records" }).waitFor();
  assert.equal(addressOf(page).get("to"), "2020-01-01");
});

test("a list that fails to load shows the error and a retry button", async (t) => {
  const pages = await startConsole(t);
  if (pages === undefined) return;
  await addLeads(pages.client, 3);
  const page = await pages.open("viewer", "/leads?filter=%7B%22nonsense%22%3A1%7D");
  await page
    .getByRole("alert")
    .getByText(/nonsense/)
    .waitFor();
  await page.getByRole("button", { name: /^Remove: / }).click();
  await found(page, "3 leads");
  await page
    .context()
    .route("**/crm/contacts?**", (route) =>
      route.fulfill({ status: 404, json: { detail: "Gone." } }),
    );
  await page.getByRole("link", { name: "Contacts", exact: true }).click();
  await page.getByRole("alert").getByText("Gone.").waitFor();
  await page.context().unroute("**/crm/contacts?**");
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("heading", { name: "No contacts yet" }).waitFor();
  await assertAccessible(page);
});

test("columns are selected and moved, and saved as the default view", async (t) => {
  const pages = await startConsole(t);
  if (pages === undefined) return;
  await addLeads(pages.client, 3);
  const page = await pages.open("agent", "/leads");
  await found(page, "3 leads");
  const headings = () => page.getByRole("columnheader").getByText(/./).allInnerTexts();
  await page.getByRole("button", { name: "Columns" }).click();
  const dialog = page.getByRole("dialog");
  // Each change applies to the columns that are shown, so wait until the previous one is.
  await dialog.getByRole("checkbox", { name: "Owner" }).click();
  await dialog.getByRole("checkbox", { name: "Owner", checked: false }).waitFor();
  await dialog.getByRole("checkbox", { name: "Employer" }).click();
  await dialog.getByRole("checkbox", { name: "Employer", checked: true }).waitFor();
  await dialog.getByRole("button", { name: "Move Employer up" }).click();
  await page.waitForURL(/employer_name%2Ccreated_ts/);
  await dialog.getByRole("listitem").nth(-2).getByText("Employer").waitFor();
  const handle = dialog.getByRole("button", { name: "Drag Source" });
  await handle.hover();
  await page.mouse.down();
  await dialog.getByRole("checkbox", { name: "Status", exact: true }).hover();
  await dialog.getByRole("checkbox", { name: "Status", exact: true }).hover();
  await dialog.locator('li[style*="primary-color-filled"]').filter({ hasText: "Status" }).waitFor();
  await page.mouse.up();
  const wanted = ["Name", "Source", "Status", "Email", "Phone", "Tags", "Employer", "Created"];
  await page.waitForURL(/cols=name%2Clead_source%2Clead_status/);
  await assertAccessible(page);
  const before = await page
    .getByRole("columnheader", { name: "Source", includeHidden: true })
    .boundingBox();
  await dialog.getByRole("button", { name: "Make Source wider" }).click();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  assert.deepEqual(await headings(), wanted);
  const after = await page.getByRole("columnheader", { name: "Source" }).boundingBox();
  assert.notEqual(after?.width, before?.width);
  await page.getByTitle(/^Width of Source/).hover();
  await page.mouse.down();
  await page.mouse.move((after?.x ?? 0) + 300, 300, { steps: 4 });
  await page.mouse.up();
  await eventually(
    () => page.getByRole("columnheader", { name: "Source" }).boundingBox(),
    (dragged) => Math.abs((dragged?.width ?? 0) - 300) < 16,
  );

  await page.getByText("Unsaved", { exact: true }).waitFor();
  await page.getByRole("button", { name: "View" }).click();
  await page.getByRole("menuitem", { name: "Save as new view" }).click();
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.getByText("Enter a name.").waitFor();
  await dialog.getByRole("textbox", { name: "Name" }).fill("By source");
  await assertAccessible(page);
  await dialog.getByRole("button", { name: "Save" }).click();
  await page.getByRole("link", { name: "By source", exact: true }).waitFor();
  await page.getByText("Unsaved", { exact: true }).waitFor({ state: "detached" });
  await page.getByRole("button", { name: "View" }).click();
  const saved = page.waitForResponse(
    (response) =>
      response.request().method() === "PUT" && response.url().endsWith("/auth/preferences"),
  );
  await page.getByRole("menuitem", { name: "Open this view by default" }).click();
  await saved;

  await page.getByRole("link", { name: "All leads" }).click();
  await page.getByRole("columnheader", { name: "Owner" }).waitFor();
  await page.goto(`${pages.api.url}/leads`);
  await found(page, "3 leads");
  assert.deepEqual(await headings(), wanted);
  await page.getByRole("button", { name: "View" }).click();
  await page.getByRole("menuitem", { name: "Delete view" }).click();
  await dialog.getByRole("button", { name: "Delete view" }).click();
  await page.getByRole("columnheader", { name: "Owner" }).waitFor();
  assert.equal(await page.getByRole("link", { name: "By source", exact: true }).count(), 0);
});

test("a list that was selected is not selected anymore after a search", async (t) => {
  const pages = await startConsole(t);
  if (pages === undefined) return;
  await addLeads(pages.client, 3);
  const page = await pages.open("agent", "/leads");
  await found(page, "3 leads");
  const release = await holdRequests(page, /page_size=500/);
  const all = page.getByRole("checkbox", { name: /^Select all/ });
  await all.click();
  await page.getByRole("searchbox").fill("Person 001");
  await found(page, "1 lead");
  release();
  await page.locator("[aria-label^='Select all']:enabled").waitFor();
  assert.equal(await all.isChecked(), false);
  assert.equal(await page.getByText(/selected/).count(), 0);
});

/** Opens a list of three leads whose clock the test can move. */
async function openWithClock(t: TestContext): Promise<Page | undefined> {
  const pages = await startConsole(t);
  if (pages === undefined) return undefined;
  await addLeads(pages.client, 3);
  const page = await pages.open("agent", "/leads");
  await installClock(page);
  await page.reload();
  await found(page, "3 leads");
  return page;
}

test("text that is cleared while it is typed is not searched", async (t) => {
  const page = await openWithClock(t);
  if (page === undefined) return;
  await page.getByRole("searchbox").fill("Person 001");
  await page.getByRole("button", { name: "Clear search" }).click();
  await page.clock.runFor(1000);
  assert.equal(addressOf(page).get("q"), null);
});

test("a link that is clicked right after typing is followed, even if its page loads slowly", async (t) => {
  const page = await openWithClock(t);
  if (page === undefined) return;
  const release = await holdRequests(page, /\/assets\/home-/);
  await pauseClock(page);
  await page.getByRole("searchbox").fill("Person 001");
  await page.getByRole("link", { name: "Home", exact: true }).click();
  await page.clock.runFor(1000);
  assert.equal(new URL(page.url()).pathname, "/");
  release();
});

test("rows are neither skipped nor repeated where two pages meet after a reload", async (t) => {
  const pages = await startConsole(t);
  if (pages === undefined) return;
  await addLeads(pages.client, 250);
  const page = await pages.open("agent", "/leads?sort=name");
  await installClock(page);
  await page.reload();
  await found(page, "250 leads");
  await row(page, "Person 000").focus();
  await page.keyboard.press("End");
  const near = page.locator('[aria-rowindex="245"]');
  await near.filter({ hasText: "Person 243" }).waitFor();
  await pages.client.post("/crm/leads", { name: "Aaron" });
  // A page that gets the focus again reloads its outdated rows.
  await forward(page, 11_000);
  await page.evaluate("window.dispatchEvent(new Event('visibilitychange'))");
  await found(page, "251 leads");
  await near.filter({ hasText: "Person 242" }).waitFor();
});

test("many records are changed at once, and each failure shows its reason", async (t) => {
  const pages = await startConsole(t);
  if (pages === undefined) return;
  await addLeads(pages.client, 3);
  const page = await pages.open("agent", "/leads");
  await found(page, "3 leads");
  await page.getByRole("checkbox", { name: /^Select all/ }).click();
  await page.getByText("3 selected").waitFor();
  await page.getByRole("button", { name: "Add tag" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Update 3" }).click();
  await dialog.getByText("Enter a value.").waitFor();
  await dialog.getByRole("textbox", { name: "Tag" }).fill("spring");
  await dialog.getByRole("button", { name: "Update 3" }).click();
  await dialog.getByText("2 updated.").waitFor();
  await dialog.getByText(/^Person 000: .*10/).waitFor();
  await assertAccessible(page);
  const { body } = await pages.client.get("/crm/leads", { match_filter_dict: { tags: "spring" } });
  assert.equal(body.leads.length, 2);
  await dialog.getByRole("button", { name: "Close" }).last().click();
  await row(page, "Person 002").getByText("spring").waitFor();

  // Another user changes one of the records in the meantime, so the update must read it again.
  await pages.client.patch(`/crm/leads/${body.leads[0]._id}`, { title: "Captain" });
  await page.getByRole("button", { name: "Set status" }).click();
  await dialog.getByRole("combobox", { name: "Status" }).click();
  await page.getByRole("option", { name: "Meeting setup" }).click();
  await dialog.getByRole("button", { name: "Update 3" }).click();
  await dialog.getByText("3 updated.").waitFor();
  const all = await pages.client.get("/crm/leads");
  for (const lead of all.body.leads) assert.equal(lead.status, "meeting-setup");
  assert.ok(all.body.leads.some(({ title }: { title: string | null }) => title === "Captain"));

  const reader = await pages.open("viewer", "/leads");
  await row(reader, "Person 002").waitFor();
  assert.equal(await reader.getByRole("checkbox").count(), 0);
  assert.equal(await reader.getByRole("link", { name: "Create lead" }).count(), 0);
});

test("tasks show when they are due, and are completed in the list and on cards", async (t) => {
  const pages = await startConsole(t);
  if (pages === undefined) return;
  const noon_ms = new Date().setHours(12, 0, 0, 0);
  const noon_s = noon_ms / 1000;
  await pages.client.post("/crm/tasks", { name: "Call late", due_date: noon_s - 3 * 86_400 });
  await pages.client.post("/crm/tasks", { name: "Call today", due_date: noon_s });
  const page = await pages.open("agent", "/tasks");
  // The page's day must not end during the test.
  await page.clock.install({ time: noon_ms });
  await page.reload();
  await row(page, "Call late")
    .getByText(/^Overdue/)
    .waitFor();
  await row(page, "Call today").getByText("Today", { exact: true }).waitFor();
  await page.getByRole("checkbox", { name: "Complete Call late" }).click();
  await row(page, "Call late").getByText("Completed").waitFor();
  assert.equal(
    await row(page, "Call late")
      .getByText(/^Overdue/)
      .count(),
    0,
  );
  await assertAccessible(page);

  await page.setViewportSize({ width: 360, height: 740 });
  // The layout changes shortly after the size.
  await page.getByRole("grid").waitFor({ state: "detached" });
  await page.getByRole("listitem").first().waitFor();
  await page.getByRole("checkbox", { name: "Complete Call today" }).click();
  const today = page.getByRole("listitem").filter({ hasText: "Call today" });
  await today.getByText("Completed").waitFor();
  const { body } = await pages.client.get("/crm/tasks");
  for (const task of body.tasks) assert.equal(task.is_completed, true);
  await page.getByLabel("Sort by").selectOption("name");
  await page.getByRole("listitem").first().getByText("Call late").waitFor();
  await assertAccessible(page);
  assert.ok(
    await page.evaluate(
      "document.documentElement.scrollWidth <= document.documentElement.clientWidth",
    ),
  );
});
