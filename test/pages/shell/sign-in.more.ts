/** The sign-in pages. */

import assert from "node:assert/strict";
import test from "node:test";
import { URI, type TOTP } from "otpauth";
import type { Locator, Page } from "playwright-core";
import { ok } from "../../api/samples.ts";
import { assertAccessible, startConsole } from "../../kit/console.ts";
import { ownerOf, PASSWORD } from "../../people/people-kit.ts";

test("visitors without a session are redirected to the sign-in, which passes axe-core", async (t) => {
  const pages = await startConsole(t, { isAlone: true });
  if (pages === undefined) return;
  const page = await pages.openAsNobody("/");
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  assert.equal(new URL(page.url()).pathname, "/sign-in");
  await assertAccessible(page);
  await page.getByRole("link", { name: /partner/i }).click();
  await page.getByRole("heading", { name: "Partner sign-in" }).waitFor();
  await assertAccessible(page);
});

test("a user with the same password in several businesses chooses by name and handle", async (t) => {
  const pages = await startConsole(t, { isAlone: true });
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
  await page.getByRole("heading", { name: "Choose a business" }).waitFor();
  await assertAccessible(page);
  const [first = "", second = ""] = handles;
  await page.getByRole("button", { name: new RegExp(`^Harbour Ltd\\s*${first}$`) }).waitFor();
  await page.getByRole("button", { name: new RegExp(`^Harbour Ltd\\s*${second}$`) }).click();
  await page.getByRole("link", { name: "Leads", exact: true }).waitFor();
  await page.goto(`${pages.api.url}/settings/tenant`);
  await page.getByText(second, { exact: true }).waitFor();
});

test("the menu shows each role what it may open", async (t) => {
  const pages = await startConsole(t, { isAlone: true });
  if (pages === undefined) return;
  const page = await pages.open("viewer");
  await page.getByRole("link", { name: "Leads", exact: true }).waitFor();
  assert.equal(await page.getByRole("link", { name: "Review", exact: true }).count(), 0);
  await assertAccessible(page);
});

/** Waits until a field shows an error and has focus. */
async function assertBlamed(page: Page, field: Locator, fault: RegExp): Promise<void> {
  await page.getByText(fault).waitFor();
  await field.and(page.locator(":focus")).waitFor();
  const [described, invalid] = await Promise.all([
    field.getAttribute("aria-describedby"),
    field.getAttribute("aria-invalid"),
  ]);
  assert.equal(invalid, "true");
  const texts = await page.evaluate<string>(
    `${JSON.stringify(described)}.split(" ").map((id) => document.getElementById(id)?.textContent).join(" ")`,
  );
  assert.match(texts, fault);
  assert.equal(await page.getByRole("alert").count(), 0);
}

test("a wrong password or code is reported at its field, which gets the focus", async (t) => {
  const pages = await startConsole(t, { isAlone: true });
  if (pages === undefined) return;
  const email = "factor@example.com";
  const owner = await ownerOf(pages.api, await pages.api.tenant(), email);
  const begun = ok(await owner.post("/auth/second_factor", { password: PASSWORD })).body;
  const codeAt = (timestamp: number) => (URI.parse(begun.uri) as TOTP).generate({ timestamp });
  const code = codeAt(Date.now());
  const { recovery_codes } = ok(await owner.post("/auth/second_factor/confirm", { code })).body;

  const page = await pages.openAsNobody("/sign-in");
  await page.getByRole("textbox", { name: "Email" }).fill(email);
  const password = page.getByRole("textbox", { name: "Password" });
  await password.fill("not the password");
  await page.getByRole("button", { name: "Sign in" }).click();
  await assertBlamed(page, password, /Wrong email or password/);
  await assertAccessible(page);
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press("Enter");

  const field = page.getByRole("textbox", { name: "Code from your authenticator app" });
  await field.waitFor();
  assert.equal(await page.getByText("This code is wrong").count(), 0);
  // The code that turned on two-factor authentication cannot be used again.
  await field.fill(code);
  await page.getByRole("button", { name: "Sign in" }).click();
  await assertBlamed(page, field, /This code is wrong or was already used/);
  await assertAccessible(page);
  await page.getByRole("button", { name: "Use a recovery code instead" }).click();
  const recovery = page.getByRole("textbox", { name: "Recovery code" });
  await recovery.waitFor();
  assert.equal(await page.getByText(/code is wrong/).count(), 0);
  await recovery.fill("wrong-wrong");
  await page.getByRole("button", { name: "Sign in" }).click();
  await assertBlamed(page, recovery, /This recovery code is wrong/);
  await page.keyboard.type(recovery_codes[0]);
  await page.keyboard.press("Enter");
  await page.getByRole("link", { name: "Leads", exact: true }).waitFor();
});
