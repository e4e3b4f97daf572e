/** Record values as users read them: labels in place of JSON, names in place of IDs, and formatted phone numbers. */

import assert from "node:assert/strict";
import test from "node:test";
import type { Page } from "playwright-core";
import { ok, type Body } from "../../api/samples.ts";
import { importPushed, partnerOf } from "../../exchange/exchange-kit.ts";
import type { Client } from "../../kit/api.ts";
import { assertAccessible, startConsole } from "../../kit/console.ts";

const make = async (client: Client, path: string, body: unknown): Promise<Body> =>
  ok(await client.post(path, body)).body as Body;

const textOf = (page: Page): Promise<string> => page.locator("main").innerText();

/** Asserts that the page shows no JSON, no names with underscores, and no IDs. */
async function assertReadable(page: Page): Promise<void> {
  const text = await textOf(page);
  assert.doesNotMatch(text, /[{}[\]"]|\b[a-z]+_[a-z]+|\b[0-9a-f]{24}\b|\b1[0-9]{9}\b/, text);
}

const PREFERENCES = {
  min_price: 250_000,
  yearBuilt: 2019,
  has_berth: true,
  areas: ["North quay", "Old harbour"],
  contact_times: [{ day: "Monday" }, { day: "Friday", note: "only by phone" }],
  address: { city_name: "Oslo" },
};

test("preferences, profiles, numbers and lines are shown as labels and values, whatever they contain", async (t) => {
  const pages = await startConsole(t);
  if (pages === undefined) return;
  const { client } = pages;
  const partner = await partnerOf(client, { name: "Pier Nine" });
  const { id } = await partner.push({ name: "Mara Lind", match_preferences: PREFERENCES });
  const lead = await importPushed(client, id);
  const account = await make(client, "/crm/accounts", {
    name: "Harbour Works",
    phone: "+44 20 7946 0123",
    phone_list: [
      { type: "Main", phone: "+44 20 7946 0123" },
      { type: "Desk", phone: "(212) 555-0142", line_note: "Ask for Jo" },
    ],
    social_dict_list: [{ type: "Linkedin", url: "https://example.com/hw", last_seen: "2026" }],
  });
  const invoice = await make(client, "/crm/invoices", {
    invoice_num: "R-1",
    account_id: account["_id"],
    total_amount: 99.5,
    invoice_line_list: [
      { description: "Cloth", amount: 99.5, cost_center: { unit_name: "North" } },
    ],
  });
  const task = await make(client, "/crm/tasks", {
    name: "Call them",
    subject_type: "account",
    subject: account["_id"],
    action_data: { call_reason: "renewal", minutes: 20, is_urgent: false },
  });
  const page = await pages.open("owner", `/leads/${String(lead["_id"])}`);
  const valueOf = (label: string) => page.locator(`dt:text-is("${label}") + dd`);
  await valueOf("Min price").getByText("250,000").waitFor();
  await valueOf("Year built").getByText("2019").waitFor();
  await valueOf("Areas").getByText("North quay, Old harbour").waitFor();
  await valueOf("Address").getByText("Oslo").waitFor();
  assert.equal(await valueOf("Contact times").first().getByRole("listitem").count(), 2);
  await page.getByText("Match preferences", { exact: true }).waitFor();
  await valueOf("Partner").getByRole("link", { name: "Pier Nine" }).waitFor();
  await valueOf("Partner lead").getByRole("link", { name: "Mara Lind" }).waitFor();
  await assertReadable(page);
  await assertAccessible(page);

  await page.goto(`${pages.api.url}/accounts/${String(account["_id"])}`);
  await page.getByText("Desk · US · Line note: Ask for Jo").waitFor();
  await page.getByText("LinkedIn · Last seen: 2026").waitFor();
  // Phone numbers in the default country are shown in national format, and other numbers with their country code. All
  // links include the country code.
  const numbers = valueOf("Phone numbers").getByRole("link");
  assert.deepEqual(await numbers.allInnerTexts(), ["+44 20 7946 0123", "(212) 555-0142"]);
  assert.deepEqual(
    await numbers.evaluateAll((links) => links.map((link) => link.getAttribute("href"))),
    ["tel:+442079460123", "tel:+12125550142"],
  );
  await assertReadable(page);

  await page.goto(`${pages.api.url}/invoices/${String(invoice["_id"])}`);
  await page.getByRole("columnheader", { name: "Cost center" }).waitFor();
  await page.getByRole("cell", { name: "Unit name: North" }).waitFor();
  await assertReadable(page);

  await page.goto(`${pages.api.url}/tasks/${String(task["_id"])}`);
  await valueOf("Call reason").getByText("renewal").waitFor();
  await valueOf("About").getByRole("link", { name: "Harbour Works" }).waitFor();
  await assertReadable(page);
  // Users can edit each value next to its name. Numbers and booleans keep their type.
  await page.getByRole("button", { name: "Edit" }).click();
  await page.getByRole("button", { name: "More fields" }).click();
  await page.getByLabel("Action details: value 2").fill("30");
  await page.getByRole("button", { name: "Add value" }).click();
  await page.getByLabel("Action details: name 4").fill("result");
  await page.getByLabel("Action details: value 4").fill("No reply");
  await page.getByRole("button", { name: "Add value" }).click();
  await assertAccessible(page);
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("button", { name: "Edit" }).waitFor();
  const { body } = await client.get(`/crm/tasks/${String(task["_id"])}`);
  assert.deepEqual(body.action_data, {
    call_reason: "renewal",
    minutes: 30,
    is_urgent: false,
    result: "No reply",
  });
  await page.goto(`${pages.api.url}/tasks?cols=name,action_data`);
  await page.getByText("Call reason: renewal; Minutes: 30; Is urgent: No").waitFor();
  await assertReadable(page);
});

test("a list loads the names of referenced records with one request, and the page links them", async (t) => {
  const pages = await startConsole(t);
  if (pages === undefined) return;
  const { client } = pages;
  const accounts = await Promise.all(
    Array.from({ length: 60 }, (_, at) =>
      make(client, "/crm/accounts", { name: `Account ${String(at).padStart(2, "0")}` }),
    ),
  );
  const items = Array.from({ length: 120 }, (_, at) => ({
    name: `Contact ${String(at).padStart(3, "0")}`,
    account_id: accounts[at % accounts.length]?.["_id"],
  }));
  const { status, text } = await client.post("/crm/contacts/batch", { items });
  assert.equal(status, 207, text);
  const page = await pages.open("viewer");
  const asked: string[] = [];
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith("/crm/accounts")) asked.push(pathname);
  });
  await page.goto(`${pages.api.url}/contacts`);
  await page.getByRole("link", { name: "Contact 119" }).waitFor();
  const account = page
    .getByRole("row", { name: /Contact 119/ })
    .getByRole("link", { name: "Account 59" });
  await account.waitFor();
  await page.getByRole("row", { name: /Contact 119/ }).focus();
  await page.keyboard.press("End");
  await page
    .getByRole("row", { name: /Contact 000/ })
    .getByRole("link", { name: "Account 00" })
    .waitFor();
  assert.deepEqual(asked, ["/crm/accounts"]);
  await assertReadable(page);

  // A deleted record is marked, while other records still show their names.
  const task = await make(client, "/crm/tasks", { name: "Call them" });
  const { _id: gone } = accounts[0] as Body;
  const { _id: kept } = accounts[1] as Body;
  await make(client, "/crm/tasks", { name: "Of account", subject_type: "account", subject: gone });
  const merge = await client.post(`/crm/accounts/${String(kept)}/merge`, { ids: [gone] });
  assert.equal(merge.status, 200, merge.text);
  await client.patch(`/crm/tasks/${String(task["_id"])}`, {
    subject_type: "account",
    subject: kept,
  });
  await page.goto(`${pages.api.url}/tasks`);
  await page
    .getByRole("row", { name: /Of account/ })
    .getByRole("link", { name: "Account 01" })
    .waitFor();
  await page.route("**/crm/accounts?*", (route) => route.fulfill({ json: [] }));
  await page.route(`**/crm/accounts/${String(kept)}`, (route) =>
    route.fulfill({ status: 404, json: { detail: "Not found." } }),
  );
  await page.reload();
  await page
    .getByRole("row", { name: /Of account/ })
    .getByText("Deleted account")
    .waitFor();
  await assertReadable(page);
});

test("converted leads are marked, link to their contact, and cannot be converted or moved again", async (t) => {
  const pages = await startConsole(t);
  if (pages === undefined) return;
  const { client } = pages;
  const lead = await make(client, "/crm/leads", { name: "Mara Lind" });
  await make(client, "/crm/leads", { name: "Jon Berg" });
  const path = `/crm/leads/${String(lead["_id"])}`;
  const { contact_id } = ok(await client.post(`${path}/convert`)).body;
  const page = await pages.open("agent", "/leads");
  const row = page.getByRole("row", { name: /Mara Lind/ });
  const mark = row.getByRole("link", { name: "Converted. Open the contact for Mara Lind" });
  assert.equal(await mark.getAttribute("href"), `/contacts/${contact_id}`);
  assert.equal(await page.getByText("Converted", { exact: true }).count(), 1);
  await assertAccessible(page);
  await row.getByRole("checkbox").click();
  assert.equal(await page.getByRole("button", { name: "Set status" }).count(), 0);
  await page
    .getByRole("row", { name: /Jon Berg/ })
    .getByRole("checkbox")
    .click();
  await page.getByRole("button", { name: "Set status" }).waitFor();
  // If the status column is hidden, the badge appears next to the name. Cards show it as well.
  await page.goto(`${pages.api.url}/leads?cols=name,email`);
  await mark.waitFor();
  await page.setViewportSize({ width: 390, height: 800 });
  await page
    .getByRole("listitem")
    .getByRole("link", { name: /^Converted/ })
    .waitFor();
  await page.setViewportSize({ width: 1440, height: 900 });
  await page
    .getByRole("row", { name: /Mara Lind/ })
    .getByRole("link", { name: "Mara Lind", exact: true })
    .click();
  await page.getByText("This lead was converted to a contact.").waitFor();
  for (const name of [/^Convert$/, /^Status/, /^Add$/]) {
    assert.equal(await page.getByRole("button", { name }).count(), 0, String(name));
  }
  await assertAccessible(page);
  await page.getByRole("link", { name: "Converted", exact: true }).click();
  await page.waitForURL(`**/contacts/${contact_id}`);
});

test("an account lists its contacts, deals, invoices and orders, and creates new ones", async (t) => {
  const pages = await startConsole(t);
  if (pages === undefined) return;
  const { client } = pages;
  const { _id } = await make(client, "/crm/accounts", { name: "Harbour Works" });
  for (let at = 0; at < 7; at += 1) {
    await make(client, "/crm/contacts", { name: `Contact ${at}`, account_id: _id });
  }
  await make(client, "/crm/contacts", { name: "Of no one" });
  await make(client, "/crm/opportunities", {
    name: "Two cranes",
    account_id: _id,
    stage: "contract_pending",
  });
  const page = await pages.open("agent", `/accounts/${String(_id)}`);
  const contacts = page.getByRole("region", { name: "Contacts (7)" });
  await contacts.getByRole("link", { name: "Contact 6" }).waitFor();
  await page.getByRole("region", { name: "Deals (1)" }).getByText("Contract pending").waitFor();
  await page.getByRole("region", { name: "Invoices" }).getByText("No invoices yet").waitFor();
  await page.getByRole("region", { name: "Orders" }).getByText("No orders yet").waitFor();
  await page.getByRole("region", { name: "Tasks" }).getByText("No tasks").waitFor();
  await assertAccessible(page);
  await contacts.getByRole("link", { name: "Create contact" }).click();
  await page.locator('input[value="Harbour Works"]').waitFor();
  await page.getByLabel(/^Name( \*)?$/).fill("Contact 7");
  await page.getByRole("button", { name: "Create", exact: true }).click();
  await page.getByRole("heading", { level: 1, name: "Contact 7" }).waitFor();
  await page.getByRole("link", { name: "Harbour Works" }).click();
  await page.getByRole("link", { name: "View all contacts" }).click();
  await page.getByText("Account is Harbour Works").waitFor();
  await page.getByRole("status").getByText("8 contacts", { exact: true }).waitFor();
  await assertReadable(page);
});

test("leads and deals are filtered by partner name", async (t) => {
  const pages = await startConsole(t);
  if (pages === undefined) return;
  const { client } = pages;
  const pier = await partnerOf(client, { name: "Pier Nine" });
  const quay = await partnerOf(client, { name: "Quay Two" });
  for (const partner of [pier, pier, quay]) {
    const lead = await importPushed(client, (await partner.push()).id);
    const body = { account: { name: "Mill" }, deal: { name: "Looms" } };
    ok(await client.post(`/crm/leads/${String(lead["_id"])}/convert`, body));
  }
  await make(client, "/crm/leads", { name: "Of no one" });
  const page = await pages.open("owner");
  for (const [table, all] of [
    ["leads", 4],
    ["deals", 3],
  ] as const) {
    const found = (text: string) =>
      page.getByRole("status").getByText(text, { exact: true }).waitFor();
    await page.goto(`${pages.api.url}/${table}`);
    await found(`${all} ${table}`);
    await page.getByRole("button", { name: "Filter" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("combobox", { name: "Field" }).click();
    await page.getByRole("option", { name: "Partner", exact: true }).click();
    await dialog.getByRole("combobox", { name: "Value" }).click();
    await page.getByRole("option", { name: "Pier Nine" }).click();
    await page.keyboard.press("Tab");
    await assertAccessible(page);
    await dialog.getByRole("button", { name: "Apply" }).click();
    await page.getByText("Partner is Pier Nine").waitFor();
    await found(`2 ${table}`);
  }
  await page.goto(`${pages.api.url}/leads?cols=name,partner_id&sort=name`);
  await page.getByRole("link", { name: "Quay Two" }).waitFor();
  // Users without permission to list partners can still filter by whether a lead has a partner.
  const agent = await pages.open("agent", "/leads?filter=%7B%22partner_id%22%3Anull%7D");
  await agent.getByText("Partner is empty").waitFor();
  await agent.getByRole("status").getByText("1 lead", { exact: true }).waitFor();
});

test("the assignee of a task is selected by name, and tasks are filtered by it", async (t) => {
  const pages = await startConsole(t);
  if (pages === undefined) return;
  const { client } = pages;
  await pages.open("agent");
  const people = ok(await client.get("/crm/admin/people")).body as Body[];
  const agent = people.find(({ name }) => name === "Pat agent") as Body;
  const task = await make(client, "/crm/tasks", { name: "Call them" });
  const page = await pages.open("owner", `/tasks/${String(task["_id"])}?edit=true`);
  // The form focuses its first input after it has appeared, which would close a list.
  await page.locator("form input:focus").waitFor();
  await page.getByRole("combobox", { name: "Assignee" }).click();
  await page.getByRole("option", { name: "Pat agent" }).click();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Assignee: Pat agent").waitFor();
  const changed = ok(await client.get(`/crm/tasks/${String(task["_id"])}`)).body as Body;
  assert.equal(changed["userid"], agent["id"]);
  const filter = encodeURIComponent(JSON.stringify({ userid: { $in: [agent["id"]] } }));
  await page.goto(`${pages.api.url}/tasks?filter=${filter}`);
  await page.getByText("Assignee is Pat agent").waitFor();
  await page
    .getByRole("row", { name: /Call them/ })
    .getByText("Pat agent")
    .waitFor();
  await assertReadable(page);
});

test("option labels are not truncated in tables, and truncated texts have a tooltip", async (t) => {
  const pages = await startConsole(t);
  if (pages === undefined) return;
  const { client } = pages;
  const name = "A berth for the winter with a crane and a shed ".repeat(4).trim();
  const { _id } = await make(client, "/crm/accounts", { name });
  for (const stage of ["contract_pending", "negotiation_review"]) {
    await make(client, "/crm/opportunities", { name, account_id: _id, stage });
  }
  const page = await pages.open("viewer", "/deals");
  for (const width of [1024, 1440, 1920]) {
    await page.setViewportSize({ width, height: 800 });
    for (const label of ["Contract pending", "Negotiation review"]) {
      const text = page.getByRole("gridcell").getByText(label, { exact: true });
      await text.waitFor();
      assert.ok(
        await text.evaluate((it) => it.scrollWidth <= it.clientWidth),
        `${label}, ${width}`,
      );
    }
  }
  for (const title of await page.getByRole("gridcell").getByRole("link").all()) {
    assert.equal(await title.getAttribute("title"), name);
  }
  await page
    .getByRole("gridcell")
    .getByText(/^(now|\d+ minutes? ago)$/)
    .first()
    .waitFor();
});
