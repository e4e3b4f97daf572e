/** The doors, as somebody sees them who is not signed in. */

import assert from "node:assert/strict";
import test from "node:test";
import { assertAccessible, startConsole } from "../kit/console.ts";

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

test("the shell shows each role what it may open", async (t) => {
  const pages = await startConsole(t);
  if (pages === undefined) return;
  const page = await pages.open("viewer");
  await page.getByRole("link", { name: "Leads", exact: true }).waitFor();
  assert.equal(await page.getByRole("link", { name: "Review", exact: true }).count(), 0);
  await assertAccessible(page);
});
