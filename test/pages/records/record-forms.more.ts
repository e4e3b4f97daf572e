/** Forms that create and edit records. */

import assert from "node:assert/strict";
import test from "node:test";
import type { Page } from "playwright-core";
import { type RecordName, BUILT_IN_TYPES } from "../../../src/records/types/record-types.ts";
import type { Client } from "../../kit/api.ts";
import { assertAccessible, startConsole } from "../../kit/console.ts";
import { isLong } from "../../kit/long.ts";

const DAY = "2027-03-04";
const dayOf = (at_s: number): string => new Date(at_s * 1000).toISOString().slice(0, 10);

/** Fills in the input with a label. A required field's label ends with a mark. */
const write = (page: Page, label: string, text: string) =>
  page
    .getByLabel(new RegExp(`^${label}( \\*)?$`))
    .first()
    .fill(text);

/** Selects an option from a list. */
async function choose(page: Page, label: string, word: string): Promise<void> {
  await page.getByRole("combobox", { name: label }).click();
  await page.getByRole("option", { name: word, exact: true }).click();
}

/** Finds a record by name and selects it. */
async function pick(page: Page, label: string, name: string): Promise<void> {
  const input = page.getByRole("combobox", { name: label });
  await input.click();
  await input.fill(name.toUpperCase().slice(0, 6));
  await page.getByRole("option", { name, exact: true }).click();
}

/** How to fill in the form for a record type, and the values expected in the stored record. */
interface Filled {
  readonly fill: (page: Page) => Promise<void>;
  readonly expected: (record: Record<string, unknown>, seen: { account: string }) => unknown[];
  readonly actual: (record: Record<string, unknown>) => unknown[];
}

/** For types without an entry below, only the name is filled in. */
const NAMED: Filled = {
  fill: (page) => write(page, "Name", "A first one"),
  expected: () => ["A first one"],
  actual: ({ name }) => [name],
};

const FILLED: Readonly<Partial<Record<RecordName, Filled>>> = {
  lead: {
    fill: async (page) => {
      await write(page, "Name", "Mara Lind");
      await write(page, "Email", "mara@example.com");
      await choose(page, "Source", "Referral");
      await write(page, "Tags", "vip");
      await page.keyboard.press("Enter");
      await page.getByRole("button", { name: "More fields" }).click();
      await write(page, "Social security number", "123-45-6789");
      await write(page, "Birth year", "1980");
      await page.getByRole("button", { name: "Add profile" }).click();
      await write(page, "Profile 1: network", "linkedin");
      await write(page, "Profile 1: URL", "https://example.com/mara");
    },
    expected: () => [
      "Mara Lind",
      "mara@example.com",
      "Referral",
      ["vip"],
      "***-**-6789",
      1980,
      [{ type: "linkedin", url: "https://example.com/mara" }],
    ],
    actual: (lead) =>
      ["name", "email", "source", "tags", "ssn", "birth_year", "social_dict_list"].map(
        (name) => lead[name],
      ),
  },
  contact: {
    fill: async (page) => {
      await write(page, "Name", "Jon Berg");
      await write(page, "Phone", "+1 555 555 5555");
      await pick(page, "Account", "Harbour Works");
    },
    expected: (_, { account }) => ["Jon Berg", "+1 555 555 5555", account],
    actual: ({ name, phone, account_id }) => [name, phone, account_id],
  },
  account: {
    fill: async (page) => {
      await write(page, "Name", "Tidewater");
      await choose(page, "Relationship type", "Vendor");
      await page.getByRole("button", { name: "More fields" }).click();
      await write(page, "Employees", "40");
    },
    expected: () => ["Tidewater", "vendor", 40],
    actual: ({ name, relationship_type, num_employees }) => [
      name,
      relationship_type,
      num_employees,
    ],
  },
  deal: {
    fill: async (page) => {
      await write(page, "Name", "Two cranes");
      await pick(page, "Account", "Harbour Works");
      await write(page, "Probability", "33.3");
      await write(page, "Expected close", DAY);
      await page.getByRole("button", { name: "Add product" }).click();
      await write(page, "Product, line 1", "crane");
      await write(page, "Unit price, line 1", "1200.5");
      await write(page, "Quantity, line 1", "2");
      await page.getByText("Total $2,401").waitFor();
      await page.getByRole("button", { name: "Add product" }).click();
    },
    expected: (_, { account }) => [
      "Two cranes",
      account,
      2401,
      0.333,
      DAY,
      [{ product_id: "crane", unit_amount: 1200.5, unit_count: 2 }],
    ],
    actual: (deal) => [
      ...["name", "account_id", "value_of_sale", "probability_pcnt"].map((name) => deal[name]),
      dayOf(deal["expected_close_date"] as number),
      deal["product_dict_list"],
    ],
  },
  invoice: {
    fill: async (page) => {
      await write(page, "Invoice number", "R-1");
      await pick(page, "Account", "Harbour Works");
      await page.getByRole("button", { name: "Add line" }).click();
      await write(page, "Description, line 1", "Hoist");
      await write(page, "Quantity, line 1", "3");
      await write(page, "Unit price, line 1", "0.1");
    },
    expected: (_, { account }) => [
      "R-1",
      account,
      0.3,
      [
        {
          description: "Hoist",
          amount: 0.3,
          line_detail_dict: { qty: 3, unit_price: 0.1 },
        },
      ],
    ],
    actual: ({ invoice_num, account_id, total_amount, invoice_line_list }) => [
      invoice_num,
      account_id,
      total_amount,
      invoice_line_list,
    ],
  },
  order: {
    fill: async (page) => {
      await pick(page, "Account", "Harbour Works");
      await choose(page, "Order type", "Quote");
      await write(page, "Total amount", "12.5");
    },
    expected: (_, { account }) => ["SO-1001", account, "quote", 12.5],
    actual: ({ name, account_id, order_type, total_amount }) => [
      name,
      account_id,
      order_type,
      total_amount,
    ],
  },
  task: {
    fill: async (page) => {
      await write(page, "Name", "Call them");
      await write(page, "Due date", DAY);
      await write(page, "Due date: time", "10:30");
      await choose(page, "Subject type", "Account");
      await pick(page, "Account", "Harbour Works");
    },
    expected: (_, { account }) => ["Call them", DAY, 30 * 60, "account", account],
    actual: ({ name, due_date, subject_type, subject }) => [
      name,
      dayOf(due_date as number),
      (due_date as number) % 3600,
      subject_type,
      subject,
    ],
  },
};

/** The types whose forms and pages are checked for accessibility. Together, they have every kind of field. */
const LOOKED_AT = new Set<RecordName>(["lead", "deal", "task"]);

/** In `npm run test:long`, every type. Otherwise, those types, and the ones without an entry above. */
const TRIED = Object.values(BUILT_IN_TYPES).filter(
  ({ name }) => isLong || LOOKED_AT.has(name) || FILLED[name] === undefined,
);

const makeAccount = async (client: Client): Promise<string> =>
  (await client.post("/crm/accounts", { name: "Harbour Works" })).body._id as string;

test("a record of every type can be created with its form", async (t) => {
  const pages = await startConsole(t);
  if (pages === undefined) return;
  const account = await makeAccount(pages.client);
  const page = await pages.open("agent", "/leads/new");
  for (const type of TRIED) {
    const { fill, expected, actual } = FILLED[type.name] ?? NAMED;
    if (FILLED[type.name] === undefined)
      t.diagnostic(`of ${type.table} the name alone is filled in`);
    await page.goto(`${pages.api.url}/${type.table}/new`);
    await page.locator("form input:focus").waitFor();
    assert.equal(await page.getByRole("listbox").count(), 0, "no menu covers the form");
    await fill(page);
    if (LOOKED_AT.has(type.name)) await assertAccessible(page);
    await page.getByRole("button", { name: "Create", exact: true }).click();
    await page.getByText("created", { exact: false }).first().waitFor();
    await page.waitForURL(new RegExp(`/${type.table}/[0-9a-f]{24}$`));
    const id = page.url().split("/").at(-1) ?? "";
    const { body } = await pages.client.get(`${type.readPaths[0]}/${id}`);
    assert.deepEqual(actual(body), expected(body, { account }), type.name);
    await page.getByRole("heading", { level: 1, name: body.name }).waitFor();
    if (LOOKED_AT.has(type.name)) await assertAccessible(page);
  }
});

test("errors are shown at their fields, also in lists and collapsed parts, and no input is lost", async (t) => {
  const pages = await startConsole(t);
  if (pages === undefined) return;
  await makeAccount(pages.client);
  const page = await pages.open("agent", "/deals/new");
  const create = page.getByRole("button", { name: "Create", exact: true });
  await create.click();
  await page.getByText("Required").waitFor();
  assert.equal(await page.locator("input:focus").getAttribute("aria-invalid"), "true");
  await write(page, "Name", "Two cranes");
  await write(page, "Probability", "150");
  await page.getByRole("button", { name: "Add product" }).click();
  await write(page, "Product, line 1", "x".repeat(1001));
  await page.getByRole("button", { name: "More fields" }).click();
  await write(page, "External ID", "e".repeat(201));
  await page.getByRole("button", { name: "More fields" }).click();
  await create.click();
  await page.getByText("at least one of Account or Contact is required").waitFor();
  const invalid = page.locator("[aria-invalid=true]");
  assert.deepEqual(
    await invalid.evaluateAll((inputs) =>
      inputs.map((input) => input.getAttribute("aria-label") ?? input.getAttribute("value")),
    ),
    ["150 %", "Product, line 1", "e".repeat(201)],
  );
  await assertAccessible(page);
  await write(page, "Probability", "15");
  await write(page, "Product, line 1", "crane");
  await write(page, "External ID", "deal-1");
  await pick(page, "Account", "Harbour Works");
  await create.click();
  await page.getByRole("heading", { level: 1, name: "Two cranes" }).waitFor();
});

test("a possible duplicate is reported, and can be created anyway", async (t) => {
  const pages = await startConsole(t);
  if (pages === undefined) return;
  const { client } = pages;
  const known = await client.post("/crm/leads", { name: "Mara Lind", email: "mara@example.com" });
  const page = await pages.open("agent", "/leads/new");
  await write(page, "Name", "M. Lind");
  await write(page, "Email", "MARA@example.com");
  await page.getByRole("button", { name: "Create", exact: true }).click();
  const alert = page.getByRole("alert").filter({ hasText: "may already exist" });
  await alert.getByText("Mara Lind").waitFor();
  await assertAccessible(page);

  // Leaving the form asks for confirmation, because its input has not been saved.
  await alert.getByRole("link", { name: "Open existing record" }).click();
  const question = page.getByRole("dialog", { name: "Leave without saving?" });
  await assertAccessible(page);
  await question.getByRole("button", { name: "Stay on this page" }).click();
  await alert.getByRole("button", { name: "Create anyway" }).click();
  await page.getByRole("heading", { level: 1, name: "M. Lind" }).waitFor();
  assert.equal((await client.get("/crm/leads")).body.leads.length, 2);

  await page.goto(`${pages.api.url}/leads/new`);
  await write(page, "Name", "Mara");
  await write(page, "Email", "mara@example.com");
  await page.getByRole("button", { name: "Create", exact: true }).click();
  await alert.getByRole("link", { name: "Open existing record" }).click();
  await page.getByRole("button", { name: "Leave without saving" }).click();
  await page.waitForURL(/\/leads\/[0-9a-f]{24}$/);
  assert.ok(known.status === 200);
});

test("a missing account can be created from the form", async (t) => {
  const pages = await startConsole(t);
  if (pages === undefined) return;
  const page = await pages.open("agent", "/contacts/new");
  await write(page, "Name", "Jon Berg");
  await page.getByRole("combobox", { name: "Account" }).fill("Tide (north)");
  await page.getByRole("option", { name: "Create account “Tide (north)”…" }).click();
  const dialog = page.getByRole("dialog", { name: "New account" });
  await dialog.getByRole("button", { name: "Create" }).click();
  await dialog.waitFor({ state: "hidden" });
  await page.getByRole("button", { name: "Create", exact: true }).click();
  await page.getByRole("heading", { level: 1, name: "Jon Berg" }).waitFor();
  await page.getByRole("link", { name: "Tide (north)" }).waitFor();
});

test("Enter in an amount that ends with a zero saves the number", async (t) => {
  const pages = await startConsole(t);
  if (pages === undefined) return;
  const { client } = pages;
  const account = { name: "Harbour Works" };
  const { body: deal } = await client.post("/crm/opportunities", {
    name: "Two cranes",
    account_id: (await client.post("/crm/accounts", account)).body._id,
  });
  const page = await pages.open("agent", `/deals/${deal._id}?edit=true`);
  // The form focuses its first input after it has appeared.
  await page.locator("form input:focus").waitFor();
  await write(page, "Value", "1500.50");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Details" }).waitFor();
  assert.equal((await client.get(`/crm/deals/${deal._id}`)).body.value_of_sale, 1500.5);
});

test("a named value can have a name that begins like another one", async (t) => {
  const pages = await startConsole(t);
  if (pages === undefined) return;
  const { client } = pages;
  const { body: task } = await client.post("/crm/tasks", {
    name: "Send samples",
    action_data: { size: "L", color: "red" },
  });
  const page = await pages.open("agent", `/tasks/${task._id}?edit=true`);
  await page.getByRole("button", { name: "More fields" }).click();
  await page.getByRole("button", { name: "Add value" }).click();
  const name = page.getByLabel(/: name 3$/);
  await name.pressSequentially("size");
  await page.getByText("Another value has this name").waitFor();
  await name.pressSequentially("s");
  await page.getByLabel(/: value 3$/).fill("M");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("heading", { name: "Details" }).waitFor();
  const { action_data } = (await client.get(`/crm/tasks/${task._id}`)).body;
  assert.deepEqual(action_data, { size: "L", color: "red", sizes: "M" });
});
