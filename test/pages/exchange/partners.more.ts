/** Partners in the console. */

import assert from "node:assert/strict";
import test from "node:test";
import type { Page } from "playwright-core";
import { assertAccessible, startConsole, type ConsoleTest } from "../../kit/console.ts";

/** Signs a partner in with an ID and an access code. Returns the HTTP status. */
const signIn = async ({ client }: ConsoleTest, partner_id: string, access_code: string) =>
  (await client.post("/crm/partner/token", { partner_id, access_code })).status;

const shownCode = async (page: Page): Promise<string> =>
  (await page.getByRole("status").locator("pre").innerText()).trim();

test("a new partner can sign in with its credentials until it is suspended", async (t) => {
  const pages = await startConsole(t);
  if (pages === undefined) return;
  const page = await pages.open("admin", "/partners");
  await page.getByRole("heading", { name: "No partners yet" }).waitFor();
  await assertAccessible(page);

  await page.getByRole("link", { name: "Create partner" }).first().click();
  await page.getByRole("textbox", { name: "Name" }).fill("Harbour Referrals");
  const isOn = (name: string) => page.getByRole("checkbox", { name }).isChecked();
  const permissions = ["Check for duplicates", "View analytics", "Read leads", "Read contacts"];
  assert.deepEqual(await Promise.all(permissions.map(isOn)), [true, true, false, false]);
  assert.ok(await page.getByRole("switch", { name: "Can submit leads" }).isChecked());
  await page.getByRole("combobox", { name: "Lead sources" }).click();
  await page.getByRole("option", { name: "Referral" }).click();
  await page.keyboard.press("Escape");
  const addresses = page.getByRole("textbox", { name: "Allowed IP addresses" });
  await addresses.fill("127.0.0.0/8\n300.1.1.1");
  await page.getByText("Not an IP address or range: 300.1.1.1").waitFor();
  const trial = page.getByRole("textbox", { name: "Test an address" });
  await trial.fill("127.0.0.1");
  await page.getByText("Allowed by 127.0.0.0/8").waitFor();
  await trial.fill("192.0.2.1");
  await page.getByText("Not allowed: not on the list").waitFor();
  await assertAccessible(page);

  // Rejected values remain as entered.
  const rate = page.getByRole("textbox", { name: "Commission rate" });
  await rate.fill("120");
  await page.getByRole("button", { name: "Create partner" }).click();
  await page.getByText("Enter 100 or less").waitFor();
  assert.equal(await addresses.inputValue(), "127.0.0.0/8\n300.1.1.1");

  await addresses.fill("127.0.0.0/8");
  await rate.fill("7.5");
  await page.getByRole("button", { name: "Create partner" }).click();
  await page.getByRole("heading", { name: "Share these credentials" }).waitFor();
  await assertAccessible(page);
  const [made] = (await pages.client.get("/crm/admin/partners")).body;
  const code = await shownCode(page);
  const message = await page.getByRole("textbox", { name: "Message" }).inputValue();
  for (const told of [made.id, code, `${pages.api.url}/partner`]) assert.ok(message.includes(told));
  await page.getByText(`because ${pages.api.url} is reachable only from this computer`).waitFor();
  assert.deepEqual(
    [made.commission_rate, made.allowed_marketing_sources, made.ip_allow_list],
    [7.5, ["Referral"], ["127.0.0.0/8"]],
  );
  assert.deepEqual([made.can_push, made.permissions], [true, ["lookup", "analytics"]]);
  assert.equal(await signIn(pages, made.id, code), 200);
  // The link in the message identifies the business and fills in the Partner ID.
  const [, address = ""] = /^Portal: (\S+)$/m.exec(message) ?? [];
  const partner = await pages.openAsNobody(address.replace(pages.api.url, ""));
  const { name } = (await pages.client.get("/crm/admin/tenant")).body;
  await partner.getByText(`access code from ${name}`).waitFor();
  await partner.getByRole("textbox", { name: "Access code" }).fill(code);
  await partner.getByRole("button", { name: "Sign in" }).click();
  await partner.getByRole("heading", { name: "Harbour Referrals" }).waitFor();

  await page.getByRole("link", { name: "Open partner" }).click();
  await page.getByRole("button", { name: "Suspend" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Suspend" }).waitFor();
  await assertAccessible(page);
  await dialog.getByRole("button", { name: "Suspend" }).click();
  await page.getByRole("button", { name: "Activate" }).waitFor();
  assert.equal(await signIn(pages, made.id, code), 401);
});

test("replacing the access code revokes the previous one, and changes are saved", async (t) => {
  const pages = await startConsole(t);
  if (pages === undefined) return;
  const { client } = pages;
  const fields = { name: "Pier Nine", status: "suspended", rate_limit: 100 };
  const { body: made } = await client.post("/crm/admin/partners", fields);
  const page = await pages.open("owner", "/partners?status=suspended");
  await page.getByRole("link", { name: "Pier Nine" }).click();

  await page.getByRole("button", { name: "Activate" }).click();
  await page.getByRole("button", { name: "Suspend" }).waitFor();
  await page.getByRole("button", { name: "Replace access code" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Replace access code" }).click();
  const code = await shownCode(page);
  assert.equal(await signIn(pages, made.id, made.access_code), 401);
  assert.equal(await signIn(pages, made.id, code), 200);

  await page.getByRole("textbox", { name: "Name" }).fill("Pier Ten");
  await page.getByRole("textbox", { name: "Requests per minute" }).fill("");
  await page.getByRole("checkbox", { name: "Check for duplicates" }).uncheck();
  await page.getByRole("button", { name: "Save changes" }).click();
  await page.getByRole("heading", { name: "Pier Ten", level: 1 }).waitFor();
  await assertAccessible(page);
  const { body: saved } = await client.get(`/crm/admin/partners/${made.id}`);
  assert.deepEqual(
    [saved.name, saved.status, saved.rate_limit, saved.permissions.includes("lookup")],
    ["Pier Ten", "active", null, false],
  );

  await page.getByRole("link", { name: "Partner leads" }).click();
  await page.getByRole("heading", { name: "Review", level: 1 }).waitFor();
  assert.ok(new URL(page.url()).searchParams.get("partner")?.includes(made.id));
  await page.getByRole("link", { name: "Partners" }).click();
  await page.getByRole("cell", { name: "Pier Ten" }).waitFor();
  await page.getByRole("cell", { name: "$0" }).waitFor();
  await page.getByRole("columnheader", { name: "Review" }).waitFor();
  await assertAccessible(page);
  await page.getByText("Suspended", { exact: true }).click();
  await page.getByRole("heading", { name: "No partner has this status." }).waitFor();
  await page.goto(`${pages.api.url}/partners/6b014d2609640000abc112ed`);
  await page.getByRole("alert").getByText("Not Found").waitFor();
});
