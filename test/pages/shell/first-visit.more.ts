/** A new installation in the browser: becoming its owner, and the first settings. */

import assert from "node:assert/strict";
import test from "node:test";
import { firstOwnerLink } from "../../../src/people/index.ts";
import { systemClock } from "../../../src/platform/clock/clock.ts";
import { idSource } from "../../../src/platform/ids/ids.ts";
import { ok } from "../../api/samples.ts";
import { assertAccessible, startConsole, type ConsoleTest } from "../../kit/console.ts";
import { eventually } from "../../kit/eventually.ts";
import { PASSWORD } from "../../people/people-kit.ts";

const deps = { clock: systemClock(), makeId: idSource(systemClock()) };

/** Returns the path of the link that the service prints when it first starts. */
async function ownerLink({ api, client }: ConsoleTest): Promise<string> {
  const link = await firstOwnerLink(api.sql, deps, client.tenantId as never);
  assert.ok(link);
  return `/link#${link.token}`;
}

test("until the owner link is used, every page explains where to find it; then the owner names the business", async (t) => {
  const pages = await startConsole(t, { isNew: true });
  if (pages === undefined) return;
  const { api, client } = pages;
  ok(await client.patch("/crm/admin/tenant", { name: "default" }));
  const other = await api.tenant();
  const { name: otherName } = ok(await other.get("/crm/admin/tenant")).body;
  const path = await ownerLink(pages);

  const page = await pages.openAsNobody("/leads?x=1");
  await page.getByRole("heading", { name: "Welcome to Leadport" }).waitFor();
  assert.equal(new URL(page.url()).pathname, "/welcome");
  const shown = await page.locator("main").innerText();
  assert.ok(shown.includes(`${api.url}/link#…`));
  assert.ok(shown.includes("person create --tenant default"));
  // The page reveals no secrets and nothing about any business.
  assert.doesNotMatch(shown, /[A-Za-z0-9]{32,}/);
  for (const secret of [path.split("#")[1] ?? "", otherName, client.tenantId]) {
    assert.ok(!(await page.content()).includes(secret));
  }
  await assertAccessible(page);

  await page.goto(api.url + path);
  await page.getByRole("textbox", { name: "Your name" }).fill("Ada Example");
  await page.getByRole("textbox", { name: "Email" }).fill("ada@example.com");
  await page.getByRole("textbox", { name: "New password" }).fill(PASSWORD);
  await assertAccessible(page);
  await page.getByRole("button", { name: "Continue" }).click();

  await page.getByRole("heading", { name: "Your business" }).waitFor();
  const name = page.getByRole("textbox", { name: "Name of your business" });
  assert.equal(await name.inputValue(), "");
  const zone = await page.evaluate<string>("Intl.DateTimeFormat().resolvedOptions().timeZone");
  const zoneInput = page.getByRole("combobox", { name: "Time zone" });
  assert.equal(await zoneInput.inputValue(), zone.replaceAll("_", " "));
  await assertAccessible(page);
  await name.fill("Harbour Ltd");
  await page.getByRole("combobox", { name: "Currency" }).fill("euro (EUR");
  await page.getByRole("option", { name: "Euro (EUR)" }).click();
  await page.getByRole("button", { name: "Save and continue" }).click();

  await page.getByRole("heading", { name: "Hello, Ada" }).waitFor();
  await page.getByText("Harbour Ltd").waitFor();
  const { body } = ok(await client.get("/crm/admin/tenant"));
  assert.deepEqual([body.name, body.currency, body.timezone], ["Harbour Ltd", "EUR", zone]);
  // Once there is an owner, no one can open the page. The service may cache for a second that there is none.
  await eventually(async () => ok(await client.get("/auth/installation")).body.has_owner);
  const next = await pages.openAsNobody("/welcome");
  await next.getByRole("heading", { name: "Sign in" }).waitFor();
  await next.goto(api.url + path);
  await next.getByText("This link has expired or was already used.").waitFor();
});

test("naming the business can be skipped, and Home offers it until it is done", async (t) => {
  const pages = await startConsole(t, { isNew: true });
  if (pages === undefined) return;
  const { client } = pages;
  ok(await client.patch("/crm/admin/tenant", { name: "default" }));
  const page = await pages.open("owner", "/your-business");
  await page.getByRole("link", { name: "Skip for now" }).click();
  await page.getByRole("heading", { name: "Get started" }).waitFor();
  assert.equal(ok(await client.get("/crm/admin/tenant")).body.name, "default");
  await page.getByRole("link", { name: "Name your business" }).click();
  await page.getByRole("textbox", { name: "Name of your business" }).fill("Pier Nine");
  await page.getByRole("button", { name: "Save and continue" }).click();
  await page.getByRole("heading", { name: "Get started" }).waitFor();
  assert.equal(await page.getByRole("link", { name: "Name your business" }).count(), 0);
  await page.getByText("Pier Nine").waitFor();
});

test("only administrators can name the business, and its settings are preserved", async (t) => {
  const pages = await startConsole(t);
  if (pages === undefined) return;
  const { client } = pages;
  const settings = { name: "Quay", default_country: "NO", timezone: "Europe/Oslo" };
  ok(await client.patch("/crm/admin/tenant", settings));
  const agent = await pages.open("agent", "/your-business");
  await agent.getByRole("heading", { name: "Get started" }).waitFor();
  assert.equal(await agent.getByRole("link", { name: "Create partner" }).count(), 0);
  const page = await pages.open("admin", "/your-business");
  const name = page.getByRole("textbox", { name: "Name of your business" });
  await name.waitFor();
  assert.equal(await name.inputValue(), "Quay");
  const zone = page.getByRole("combobox", { name: "Time zone" });
  assert.equal(await zone.inputValue(), "Europe/Oslo");
  const nobody = await pages.openAsNobody("/your-business");
  await nobody.getByRole("heading", { name: "Sign in" }).waitFor();
});
