/** The doors, as somebody sees them who is not signed in. */

import assert from "node:assert/strict";
import test from "node:test";
import { ok } from "../api/samples.ts";
import { assertAccessible, startConsole } from "../kit/console.ts";
import { ownerOf, PASSWORD } from "../people/people-kit.ts";

test("whoever is not signed in is led to the sign-in, which axe-core finds nothing wrong with", async (t) => {
  const pages = await startConsole(t);
  if (pages === undefined) return;
  const page = await pages.openAsNobody("/");
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  assert.equal(new URL(page.url()).pathname, "/sign-in");
  await assertAccessible(page);
  await page.getByRole("link", { name: /partner/i }).click();
  await page.getByRole("heading", { name: "Partner sign-in" }).waitFor();
  await assertAccessible(page);
});

test("who has the same password in several businesses chooses by name and handle", async (t) => {
  const pages = await startConsole(t);
  if (pages === undefined) return;
  const email = "two@example.com";
  const handles: string[] = [];
  for (const client of [await pages.api.tenant(), await pages.api.tenant()]) {
    const owner = await ownerOf(pages.api, client, email);
    const { body } = ok(await owner.patch("/crm/admin/tenant", { name: "Harbour Ltd" }));
    handles.push(body.handle);
  }
  const page = await pages.openAsNobody("/sign-in");
  await page.getByRole("textbox", { name: "Email" }).fill(email);
  await page.getByRole("textbox", { name: "Password" }).fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { name: "Which business?" }).waitFor();
  await assertAccessible(page);
  const [first = "", second = ""] = handles;
  await page.getByRole("button", { name: new RegExp(`^Harbour Ltd\\s*${first}$`) }).waitFor();
  await page.getByRole("button", { name: new RegExp(`^Harbour Ltd\\s*${second}$`) }).click();
  await page.getByRole("link", { name: "Leads", exact: true }).waitFor();
  await page.goto(`${pages.api.url}/settings/tenant`);
  const handle = page.getByRole("textbox", { name: "Handle" });
  await handle.waitFor();
  assert.equal(await handle.inputValue(), second);
});

test("the shell shows each role what it may open", async (t) => {
  const pages = await startConsole(t);
  if (pages === undefined) return;
  const page = await pages.open("viewer");
  await page.getByRole("link", { name: "Leads", exact: true }).waitFor();
  assert.equal(await page.getByRole("link", { name: "Review", exact: true }).count(), 0);
  await assertAccessible(page);
});
