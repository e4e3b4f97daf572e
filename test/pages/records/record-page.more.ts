/** The page of one record: related records and actions. */

import assert from "node:assert/strict";
import test from "node:test";
import type { Page } from "playwright-core";
import type { Client } from "../../kit/api.ts";
import { assertAccessible, startConsole } from "../../kit/console.ts";
import { forward, installClock } from "../../kit/page-clock.ts";

const make = async (client: Client, path: string, body: unknown): Promise<string> => {
  const answer = await client.post(path, body);
  assert.equal(answer.status, 200, answer.text);
  return answer.body._id as string;
};

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

test("in a concurrent edit, the second user sees both changes and chooses", async (t) => {
  const pages = await startConsole(t);
  if (pages === undefined) return;
  const { client } = pages;
  const id = await make(client, "/crm/leads", { name: "Mara Lind", title: "Buyer" });
  const [one, other] = await Promise.all([
    pages.open("agent", `/leads/${id}?edit=true`),
    pages.open("agent", `/leads/${id}?edit=true`),
  ]);
  // Both users have loaded the same version. A form that has loaded focuses its first input.
  for (const page of [one, other]) await page.locator("form input:focus").waitFor();
  await one.getByLabel("Title").fill("Head of purchase");
  await one.getByLabel("Phone").fill("+1 555 555 5555");
  await button(one, "Save").click();
  await one.getByRole("heading", { name: "Details" }).waitFor();

  await other.getByLabel("Title").fill("Director");
  await other.getByLabel("Employer").fill("Harbour Works");
  await button(other, "Save").click();
  const dialog = other.getByRole("dialog", { name: "This record was changed by someone else" });
  await dialog.getByText("Pat agent changed it").waitFor();
  const title = dialog.getByRole("radiogroup", { name: "Title" });
  await title.getByText("Director").waitFor();
  await dialog.getByText("(555) 555-5555").first().waitFor();
  assert.equal(await dialog.getByRole("radiogroup").count(), 1);
  await assertAccessible(other);
  await title.getByRole("radio", { name: "Theirs Head of purchase" }).check();
  await button(other, "Save selection").click();
  await other.getByRole("heading", { name: "Details" }).waitFor();
  const { body } = await client.get(`/crm/leads/${id}`);
  assert.deepEqual(
    [body.title, body.phone, body.employer_name, body.version],
    ["Head of purchase", "+1 555 555 5555", "Harbour Works", 3],
  );
});

test("a status can be changed, also after a conflict", async (t) => {
  const pages = await startConsole(t);
  if (pages === undefined) return;
  const { client } = pages;
  const id = await make(client, "/crm/leads", { name: "Mara Lind", tags: ["vip"] });
  const page = await pages.open("agent", `/leads/${id}`);
  await page.getByRole("button", { name: "Status: Assigned. Change" }).click();
  await page.getByRole("menuitem", { name: "Contacted" }).click();
  await page.getByRole("button", { name: "Status: Contacted. Change" }).waitFor();
  await client.patch(`/crm/leads/${id}`, { status: "open" });
  await page.getByRole("button", { name: /^Status/ }).click();
  await page.getByRole("menuitem", { name: "Disqualified" }).click();
  await button(page, "Save selection").click();
  await page.getByRole("button", { name: "Status: Disqualified. Change" }).waitFor();

  await button(page, "Edit tags").click();
  await page.getByRole("combobox", { name: "Tags" }).fill("north");
  await page.keyboard.press("Enter");
  await button(page, "Save").click();
  await button(page, "Edit tags").waitFor();
  const { body } = await client.get(`/crm/leads/${id}`);
  assert.deepEqual([body.status, body.tags], ["disqualified", ["vip", "north"]]);
  // The history shows old and new values with their labels.
  const history = page.getByRole("region", { name: "History" });
  await history.getByText("Assigned").first().waitFor();
  await history.getByText("Disqualified").first().waitFor();
  await page.keyboard.press("Escape");
});

test("a lead is converted with a new account and a deal, and links to them", async (t) => {
  const pages = await startConsole(t);
  if (pages === undefined) return;
  const { client } = pages;
  const lead = { name: "Mara Lind", employer_name: "Harbour Works", email: "mara@example.com" };
  const id = await make(client, "/crm/leads", lead);
  const page = await pages.open("agent", `/leads/${id}`);
  await button(page, "Convert").click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Also create a deal").check();
  const account = dialog.getByLabel("Account name");
  const deal = dialog.getByLabel("Deal name");
  await deal.fill("");
  await button(dialog as unknown as Page, "Convert").click();
  await dialog.getByText("Enter a value").waitFor();
  assert.equal(await deal.getAttribute("aria-invalid"), "true");
  assert.equal(await account.inputValue(), "Harbour Works");
  await assertAccessible(page);
  await deal.fill("Two cranes");
  await dialog.getByLabel("Value").fill("2500");
  await button(dialog as unknown as Page, "Convert").click();
  await dialog.getByRole("link", { name: "Open deal" }).click();
  await page.getByRole("heading", { level: 1, name: "Two cranes" }).waitFor();
  const { body } = await client.get(`/crm/leads/${id}`);
  const made = (await client.get("/crm/deals")).body[0];
  assert.equal(made.value_of_sale, 2500);
  assert.equal(made.contact_id, body.contact_id);
  assert.equal(made.account_name, "Harbour Works");
  await page.goBack();
  await page.getByText("This lead was converted to a contact.").waitFor();
  assert.equal(await button(page, "Convert").count(), 0);
});

test("two duplicates are compared and merged, and the merge is undone", async (t) => {
  const pages = await startConsole(t);
  if (pages === undefined) return;
  const { client } = pages;
  const same = { email: "mara@example.com" };
  const gone = await make(client, "/crm/contacts", { name: "M. Lind", title: "Buyer", ...same });
  const kept = await make(client, "/crm/contacts", { name: "Mara Lind", ...same });
  const page = await pages.open("agent", `/contacts/${gone}`);
  await button(page, "Compare with Mara Lind").click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("row", { name: /Name differs/ }).waitFor();
  await assertAccessible(page);
  await dialog.getByRole("radio", { name: "The other record" }).check();
  await button(page, "Merge").click();
  await page.getByRole("heading", { level: 1, name: "Mara Lind" }).waitFor();
  assert.equal((await client.get(`/crm/contacts/${gone}`)).body._id, kept);

  // The old ID redirects to the surviving record.
  await page.goto(`${pages.api.url}/contacts/${gone}`);
  await page.waitForURL(`**/contacts/${kept}`);
  await page.getByText("This record was merged into Mara Lind").waitFor();
  const merges = page.getByRole("region", { name: "Merged records" });
  await assertAccessible(page);
  await merges.getByRole("button", { name: /^Undo the merge/ }).click();
  await merges.getByText("Undone").waitFor();
  await button(page, "Compare with M. Lind").waitFor();
  assert.equal((await client.get(`/crm/contacts/${gone}`)).body.title, "Buyer");
});

test("tasks of a record are added, completed and reopened; deleting one asks for confirmation", async (t) => {
  const pages = await startConsole(t);
  if (pages === undefined) return;
  const { client } = pages;
  const id = await make(client, "/crm/accounts", { name: "Harbour Works" });
  await make(client, "/crm/opportunities", { name: "Two cranes", account_id: id });
  const page = await pages.open("agent", `/accounts/${id}`);
  await page.getByRole("table", { name: "Deals" }).getByText("Two cranes").waitFor();
  const tasks = page.getByRole("region", { name: "Tasks" });
  await tasks.getByText("No tasks").waitFor();
  await tasks.getByLabel("New task").fill("Call them");
  await tasks.getByLabel("Due", { exact: true }).fill("2020-02-03");
  await button(page, "Add task").click();
  await tasks.getByText("overdue").waitFor();
  await assertAccessible(page);
  await tasks.getByLabel("Complete “Call them”").click();
  await tasks.getByText("No tasks").waitFor();
  await button(page, "Show completed tasks").click();
  await tasks.getByLabel("Reopen “Call them”").click();
  await tasks.getByLabel("Complete “Call them”").waitFor();
  // The lists of open and of completed tasks are refreshed independently.
  await tasks.getByLabel("Reopen “Call them”").waitFor({ state: "detached" });
  await tasks.getByRole("link", { name: "Call them" }).click();
  await button(page, "Complete").click();
  await page.getByRole("button", { name: "Status: Completed. Change" }).waitFor();
  await button(page, "Delete").click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await page.getByText("Task deleted").waitFor();
  // The form for a new record is prefilled with a reference to this record.
  await page.goto(`${pages.api.url}/accounts/${id}`);
  await page.getByRole("link", { name: "Create deal" }).click();
  await page.locator('input[value="Harbour Works"]').waitFor();
  assert.deepEqual((await client.get("/crm/tasks")).body.tasks, []);
});

test("a viewer sees a record without edit actions or secrets", async (t) => {
  const pages = await startConsole(t);
  if (pages === undefined) return;
  const { client } = pages;
  const id = await make(client, "/crm/leads", { name: "Mara Lind", ssn: "123-45-6789" });
  const page = await pages.open("viewer", `/leads/${id}?edit=true`);
  await page.getByText("***-**-6789").waitFor();
  for (const name of ["Edit", "Convert", "Save", "Add tags", "Add task", "Show"]) {
    assert.equal(await button(page, name).count(), 0, name);
  }
  assert.equal(await page.getByRole("button", { name: /^Status/ }).count(), 0);
  await assertAccessible(page);
  await page.goto(`${pages.api.url}/leads/new`);
  await page.getByText("No access").waitFor();

  const owner = await pages.open("owner", `/leads/${id}`);
  await button(owner, "Show").click();
  await owner.getByText("123-45-6789").waitFor();
  await button(owner, "Hide").click();
  await owner.getByText("***-**-6789").waitFor();
  // The number is hidden again automatically.
  await installClock(owner);
  await owner.reload();
  await button(owner, "Show").click();
  await owner.getByText("123-45-6789").waitFor();
  await forward(owner, 31_000);
  await owner.getByText("***-**-6789").waitFor();
  const audit = await client.get("/crm/admin/audit", { action: "revealed" });
  assert.equal(audit.body.length, 2);
});

test("unknown IDs and types show a not-found page", async (t) => {
  const pages = await startConsole(t);
  if (pages === undefined) return;
  const page = await pages.open("viewer", "/leads/6b00a6c16bd5e0002bde0520");
  await page.getByText("Lead not found").waitFor();
  await assertAccessible(page);
  await page.goto(`${pages.api.url}/nothings/6b00a6c16bd5e0002bde0520`);
  await page.getByText("Page not found").waitFor();
});

test("if the browser does not allow copying, the text is shown", async (t) => {
  const pages = await startConsole(t);
  if (pages === undefined) return;
  const id = await make(pages.client, "/crm/leads", { name: "Mara Lind" });
  const page = await pages.open("viewer", `/leads/${id}`);
  await page.evaluate("navigator.clipboard.writeText = () => Promise.reject(new Error('no'))");
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Copy ID" }).click();
  await page.getByText(`Copy this text yourself: ${id}`).waitFor();
});
