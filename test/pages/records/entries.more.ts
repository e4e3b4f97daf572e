/** Multiple email addresses and phone numbers of a record: in forms, on the record's page and in its history. */

import assert from "node:assert/strict";
import test from "node:test";
import type { Page } from "playwright-core";
import { BUILT_IN_TYPES } from "../../../src/records/types/record-types.ts";
import { ok, type Body } from "../../api/samples.ts";
import { assertAccessible, startConsole } from "../../kit/console.ts";

const LISTED = Object.values(BUILT_IN_TYPES).filter(({ sameBy }) => sameBy !== undefined);

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const field = (page: Page, label: string) => page.getByLabel(label, { exact: true });
const typeOf = (page: Page, label: string) =>
  page.getByRole("combobox", { name: label, exact: true });

const entriesIn = (record: Body, kind: "email" | "phone"): unknown[] =>
  (record[`${kind}_list`] as Body[]).map((entry) => [entry["type"], entry[kind]]);

/** Asserts that the page is not wider than the window. */
const assertFits = async (page: Page): Promise<void> => {
  const widths = `[document.documentElement.scrollWidth, document.documentElement.clientWidth]`;
  const [content, window] = (await page.evaluate(widths)) as number[];
  assert.ok((content ?? 0) <= (window ?? 0), `${content} px in ${window} px`);
};

test("several email addresses and phone numbers can be entered for a new record", async (t) => {
  const pages = await startConsole(t);
  if (pages === undefined) return;
  const page = await pages.open("agent", "/leads/new");
  for (const type of LISTED) {
    await page.goto(`${pages.api.url}/${type.table}/new`);
    await page.getByLabel(/^Name( \*)?$/).fill("Mara Lind");
    await field(page, "Email").fill(`mara@${type.name}.example`);
    await button(page, "Add email address").click();
    await page.keyboard.type(`work@${type.name}.example`);
    await button(page, "Add email address").click();
    // A row that was left empty is not sent.
    await button(page, "Add phone number").click();
    await page.keyboard.type("+49 30 123456");
    await typeOf(page, "Other phone number 1: type").fill("Summer house");
    await button(page, "Create").click();
    await page.waitForURL(new RegExp(`/${type.table}/[0-9a-f]{24}$`));
    const id = page.url().split("/").at(-1) ?? "";
    const record = ok(await pages.client.get(`${type.readPaths[0]}/${id}`)).body as Body;
    assert.deepEqual(entriesIn(record, "email"), [
      ["Main", `mara@${type.name}.example`],
      ["Work", `work@${type.name}.example`],
    ]);
    assert.deepEqual(entriesIn(record, "phone"), [["Summer house", "4930123456"]]);
    await page.getByText("Summer house").waitFor();
    await page.getByRole("link", { name: `work@${type.name}.example` }).waitFor();
  }
});

test("another address can become primary and a number can be removed, also in a narrow window", async (t) => {
  const pages = await startConsole(t);
  if (pages === undefined) return;
  const { client } = pages;
  const made = ok(
    await client.post("/crm/contacts", {
      name: "Mara Lind",
      email: "first@example.com",
      email_list: ["first@example.com", { type: "Work", email: "second@example.com", note: "n" }],
      phone: "(212) 555-0100",
      phone_list: [
        { type: "Mobile", phone: "+44 20 7946 0123" },
        { type: "Berlin", phone: "+49 30 123456" },
      ],
    }),
  ).body as Body;
  const path = `/contacts/${String(made["_id"])}`;
  const read = async (): Promise<Body> => ok(await client.get(`/crm${path}`)).body as Body;
  const page = await pages.open("agent", path);
  await button(page, "Edit").click();
  assert.equal(await field(page, "Other phone number 2").inputValue(), "+4930123456");
  await assertAccessible(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await assertFits(page);
  await assertAccessible(page);
  await button(page, "Make other email address 1 primary").click();
  assert.equal(await field(page, "Email").inputValue(), "second@example.com");
  assert.equal(await field(page, "Other email address 1").inputValue(), "first@example.com");
  await button(page, "Remove other phone number 1").click();
  assert.equal(await page.locator("button:focus").textContent(), "Add phone number");
  await button(page, "Save").click();
  await button(page, "Edit").waitFor();
  const changed = await read();
  assert.deepEqual(entriesIn(changed, "email"), [
    ["Main", "second@example.com"],
    ["Work", "first@example.com"],
  ]);
  assert.deepEqual(entriesIn(changed, "phone"), [
    ["Main", "12125550100"],
    ["Berlin", "4930123456"],
  ]);
  // The form sends only what changed, and the number stays as entered.
  assert.equal(changed["phone"], "(212) 555-0100");
  await assertFits(page);
  await assertAccessible(page);

  await button(page, "Edit").click();
  await field(page, "Other email address 1").fill("x".repeat(255));
  await button(page, "Save").click();
  await page.getByText("Enter at most 254 characters").waitFor();
  const wrong = page.locator("[aria-invalid=true]");
  assert.equal(await wrong.getAttribute("aria-label"), "Other email address 1");
  await field(page, "Other email address 1").fill("third@example.com");
  await typeOf(page, "Other email address 1: type").fill("main");
  await button(page, "Save").click();
  await page.getByText("Email addresses has 2 entries of type Main").waitFor();
  await assertAccessible(page);
  await typeOf(page, "Other email address 1: type").fill("");
  await button(page, "Save").click();
  await button(page, "Edit").waitFor();
  assert.deepEqual(entriesIn(await read(), "email"), [
    ["Main", "second@example.com"],
    ["Other", "third@example.com"],
  ]);
});

test("the history shows a list if more than its main entry changed", async (t) => {
  const pages = await startConsole(t);
  if (pages === undefined) return;
  const { client } = pages;
  const made = ok(await client.post("/crm/leads", { name: "Mara", email: "a@example.com" })).body;
  const path = `/leads/${String(made["_id"])}`;
  ok(await client.patch(`/crm${path}`, { email: "b@example.com" }));
  ok(await client.patch(`/crm${path}`, { email_list: ["b@example.com", "c@example.com"] }));
  const page = await pages.open("agent", path);
  const history = page.getByRole("region", { name: "History" });
  await history.getByText("c@example.com").waitFor();
  assert.equal(await history.getByText("Email addresses", { exact: true }).count(), 1);
  assert.equal(await history.getByText("Email", { exact: true }).count(), 1);
});

test("an edit conflict about an email or phone does not include the list of additional ones", async (t) => {
  const pages = await startConsole(t);
  if (pages === undefined) return;
  const { client } = pages;
  const page = await pages.open("agent", "/leads");
  for (const type of LISTED) {
    const old = { email: `old@${type.name}.example`, phone: "+49 30 1234567" };
    const made = ok(await client.post(type.writePath, { name: "Mara Lind", ...old })).body as Body;
    const path = `${String(type.readPaths[0])}/${String(made["_id"])}`;
    await page.goto(`${pages.api.url}/${type.table}/${String(made["_id"])}`);
    await button(page, "Edit").click();
    await field(page, "Email").fill(`mine@${type.name}.example`);
    await button(page, "Add email address").click();
    await page.keyboard.type(`work@${type.name}.example`);
    await button(page, "Add phone number").click();
    await page.keyboard.type("+49 30 7654321");

    const theirs = { email: `new@${type.name}.example`, phone: "+49 40 1234567" };
    ok(await client.patch(`${type.writePath}/${String(made["_id"])}`, theirs));
    await button(page, "Save").click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("radio", { name: `Theirs new@${type.name}.example` }).check();
    assert.equal(await dialog.getByText("Email addresses", { exact: true }).count(), 0);
    assert.equal(await dialog.getByText("Phone numbers", { exact: true }).count(), 0);
    await dialog.getByText("Phone", { exact: true }).waitFor();
    await button(page, "Save selection").click();
    await button(page, "Edit").waitFor();
    const saved = ok(await client.get(path)).body as Body;
    assert.deepEqual([saved["email"], saved["phone"]], [theirs.email, theirs.phone]);
    assert.deepEqual(entriesIn(saved, "email"), [
      ["Main", theirs.email],
      ["Work", `work@${type.name}.example`],
    ]);
    assert.deepEqual(entriesIn(saved, "phone"), [
      ["Main", "49401234567"],
      ["Mobile", "49307654321"],
    ]);
  }
});

test("if two users change the list of additional addresses, the user chooses one of the lists", async (t) => {
  const pages = await startConsole(t);
  if (pages === undefined) return;
  const { client } = pages;
  const email_list = ["main@example.com", { type: "Work", email: "work@example.com" }];
  const made = ok(await client.post("/crm/leads", { name: "Mara", email_list })).body as Body;
  const path = `/leads/${String(made["_id"])}`;
  const page = await pages.open("agent", path);
  await button(page, "Edit").click();
  await field(page, "Other email address 1").fill("mine@example.com");
  ok(await client.patch(`/crm${path}`, { email_list: ["main@example.com", "theirs@example.com"] }));
  await button(page, "Save").click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("radio", { name: "Theirs theirs@example.com Other" }).waitFor();
  await dialog.getByRole("radio", { name: "Yours mine@example.com Work" }).waitFor();
  await assertAccessible(page);
  await button(page, "Save selection").click();
  await button(page, "Edit").waitFor();
  assert.deepEqual(entriesIn(ok(await client.get(`/crm${path}`)).body as Body, "email"), [
    ["Main", "main@example.com"],
    ["Work", "mine@example.com"],
  ]);
});
