/** Users and sign-in in the browser: invitations, two-factor authentication, sessions, roles. */

import assert from "node:assert/strict";
import test from "node:test";
import { Secret, TOTP } from "otpauth";
import type { Page } from "playwright-core";
import { ok, type Body } from "../../api/samples.ts";
import type { Client } from "../../kit/api.ts";
import { assertAccessible, startConsole } from "../../kit/console.ts";
import { forward, installClock } from "../../kit/page-clock.ts";
import { ownerOf, PASSWORD } from "../../people/people-kit.ts";

async function signIn(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.getByLabel("Email").fill(email);
  await page.getByRole("textbox", { name: "Password" }).fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
}

const codeOf = (secret: string, at_ms: number): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: at_ms });

test("a user is invited, signs in with the link, and is signed out when suspended", async (t) => {
  const pages = await startConsole(t, { isAlone: true });
  if (pages === undefined) return;
  const owner = await pages.open("owner", "/settings/people");
  await assertAccessible(owner);
  await owner.getByRole("button", { name: "Invite user" }).click();
  const dialog = owner.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Rita Reviewer");
  await dialog.getByLabel("Email").fill("not an address");
  await dialog.getByRole("radio", { name: "Reviewer" }).check();
  await dialog.getByLabel("Email").fill("rita@example.com");
  await assertAccessible(owner);
  await dialog.getByRole("button", { name: "Create invitation" }).click();
  const link = await dialog.getByText(/\/link#/).innerText();
  await owner.keyboard.press("Escape");
  await owner
    .getByRole("row", { name: /Rita Reviewer/ })
    .getByText("Invited")
    .waitFor();

  const rita = await pages.openAsNobody(new URL(link).pathname + new URL(link).hash);
  await rita.getByRole("heading", { name: "Welcome to Leadport" }).waitFor();
  await assertAccessible(rita);
  await rita.getByRole("textbox", { name: "New password" }).fill("rita@example.com");
  await rita.getByRole("button", { name: "Open Leadport" }).click();
  await rita
    .getByText(/password/i)
    .nth(1)
    .waitFor();
  await rita.getByRole("textbox", { name: "New password" }).fill(PASSWORD);
  await rita.getByRole("button", { name: "Open Leadport" }).click();
  await rita.getByRole("heading", { name: "Hello, Rita" }).waitFor();
  assert.equal(await rita.getByRole("link", { name: "Review", exact: true }).count(), 1);
  assert.equal(await rita.getByRole("link", { name: "Users" }).count(), 0);
  await rita.goto(`${pages.api.url}/settings/people`);
  await rita.getByRole("heading", { name: "No access" }).waitFor();

  const again = await pages.openAsNobody(new URL(link).pathname + new URL(link).hash);
  await again.getByText("This link has expired or was already used").waitFor();
  await assertAccessible(again);
  const { link: next } = ok(
    await pages.client.post("/crm/admin/people", {
      name: "Ron Reviewer",
      email: "ron@example.com",
      role: "reviewer",
    }),
  ).body;
  await again.evaluate(`location.hash = "${new URL(next as string).hash}"`);
  await again.getByRole("heading", { name: "Welcome to Leadport" }).waitFor();

  await owner.getByRole("button", { name: "Actions for Rita Reviewer" }).click();
  await owner.getByRole("menuitem", { name: "Suspend" }).click();
  await owner.getByRole("dialog").getByRole("button", { name: "Suspend" }).click();
  await owner
    .getByRole("row", { name: /Rita Reviewer/ })
    .getByText("Suspended")
    .waitFor();
  // The page may have noticed already, for example when its window got the focus. It then has no links any more.
  await rita.evaluate(`document.querySelector('a[href="/"]')?.click()`);
  await rita.getByText("Your session has ended").waitFor();
});

test("two-factor authentication is set up, required at sign-in, and turned off", async (t) => {
  const pages = await startConsole(t, { isAlone: true });
  if (pages === undefined) return;
  const page = await pages.open("owner", "/profile");
  await assertAccessible(page);
  await page.getByRole("button", { name: "Set up" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "Your password" }).fill("wrong horse battery");
  await dialog.getByRole("button", { name: "Next" }).click();
  await dialog.getByRole("alert").waitFor();
  await dialog.getByRole("textbox", { name: "Your password" }).fill(PASSWORD);
  await dialog.getByRole("button", { name: "Next" }).click();
  await dialog.getByRole("img", { name: "QR code" }).waitFor();
  await assertAccessible(page);
  const secret = await dialog.getByLabel("Secret").inputValue();
  await dialog.getByLabel("Code from the app").fill(codeOf(secret, Date.now()));
  await dialog.getByRole("button", { name: "Turn on" }).click();
  const codes = (await dialog.locator("pre").innerText()).trim().split("\n");
  assert.equal(codes.length, 10);
  await dialog.getByRole("button", { name: "I’ve saved them" }).click();
  await page.getByText("On. 10 recovery codes remaining.").waitFor();

  const other = await pages.openAsNobody("/sign-in?to=%2Fprofile");
  await signIn(other, "ada@example.com");
  await other.getByRole("heading", { name: "Two-factor authentication" }).waitFor();
  await assertAccessible(other);
  await other.getByLabel("Code from your authenticator app").fill("000000");
  await other.getByRole("button", { name: "Sign in" }).click();
  await other.getByText("This code is wrong").waitFor();
  // Use the next code, because the current one was already used to turn on two-factor authentication.
  await other
    .getByLabel("Code from your authenticator app")
    .fill(codeOf(secret, Date.now() + 30_000));
  await other.getByRole("button", { name: "Sign in" }).click();
  await other.getByRole("heading", { name: "Profile and security" }).waitFor();

  const third = await pages.openAsNobody("/sign-in");
  await signIn(third, "ada@example.com");
  await third.getByRole("button", { name: "Use a recovery code instead" }).click();
  await third.getByLabel("Recovery code").fill(codes[0] ?? "");
  await third.getByRole("button", { name: "Sign in" }).click();
  await third.getByRole("heading", { name: "Hello, Ada" }).waitFor();

  await page.getByRole("button", { name: "Turn off" }).click();
  await dialog.getByRole("textbox", { name: "Your password" }).fill(PASSWORD);
  await dialog.getByLabel("Code from the app, or a recovery code").fill(codes[1] ?? "");
  await dialog.getByRole("button", { name: "Turn off" }).click();
  await page.getByRole("button", { name: "Set up" }).waitFor();
});

test("ending a session elsewhere redirects to the sign-in and then back to the same page", async (t) => {
  const pages = await startConsole(t, { isAlone: true });
  if (pages === undefined) return;
  const lost = await pages.open("owner");
  await lost.getByRole("heading", { name: "Hello, Ada" }).waitFor();
  const page = await pages.openAsNobody("/sign-in?to=%2Fprofile");
  await signIn(page, "ada@example.com", "wrong horse battery");
  await page.getByText("Wrong email or password.").waitFor();
  // The password takes the focus after the error has appeared.
  const password = page.getByRole("textbox", { name: "Password" });
  await password.and(page.locator(":focus")).waitFor();
  await signIn(page, "ada@example.com");
  await page.getByRole("heading", { name: "Profile and security" }).waitFor();
  await page.getByRole("button", { name: "Sign out other sessions" }).click();
  await assertAccessible(page);
  await page.getByRole("dialog").getByRole("button", { name: "Sign out other sessions" }).click();
  await page.getByText("1 session ended").waitFor();
  // A click would give the window the focus, and the page could notice before it opens the other page.
  await lost.getByRole("link", { name: "Users" }).dispatchEvent("click");
  await lost.getByText("Your session has ended").waitFor();
  await signIn(lost, "ada@example.com");
  await lost.getByRole("heading", { name: "Users" }).waitFor();
});

test("input in a record's form is kept when the session ends, and saved after the next sign-in", async (t) => {
  const pages = await startConsole(t, { isAlone: true });
  if (pages === undefined) return;
  const page = await pages.open("owner", "/leads/new");
  await installClock(page);
  await page.reload();
  const name = page.getByLabel(/^Name/);
  await name.fill("Mara Lind");
  await page.context().clearCookies();
  const dialog = page.getByRole("dialog", { name: "Your session has ended" });
  // A page that gets the focus again loads the session.
  await forward(page, 61_000);
  await page.evaluate("window.dispatchEvent(new Event('visibilitychange'))");
  await dialog.waitFor();
  await assertAccessible(page);
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });
  await page.getByRole("button", { name: "Create", exact: true }).click();
  const opened = page.context().waitForEvent("page");
  await dialog.getByRole("link", { name: "Sign in in a new tab" }).click();
  const other = await opened;
  await signIn(other, "ada@example.com");
  await other.getByRole("heading", { name: "Hello, Ada" }).waitFor();
  await other.close();
  await dialog.waitFor({ state: "hidden" });
  assert.equal(await name.inputValue(), "Mara Lind");
  await page.getByRole("button", { name: "Create", exact: true }).click();
  await page.getByRole("heading", { level: 1, name: "Mara Lind" }).waitFor();

  // Without keeping the input, the sign-in page opens.
  await page.goto(`${pages.api.url}/leads/new`);
  await name.fill("Jon Berg");
  await page.context().clearCookies();
  await page.getByRole("button", { name: "Create", exact: true }).click();
  await dialog.getByRole("button", { name: "Leave without saving" }).click();
  await page.getByText("Your session has ended").waitFor();
  await signIn(page, "ada@example.com");
  await page.waitForURL("**/leads/new");
  await name.waitFor();
});

const leadsOf = async (business: Client) =>
  ok(await business.get("/crm/leads")).body["leads"] as Body[];

test("a window never writes as another user who signs in in another window", async (t) => {
  const pages = await startConsole(t, { isAlone: true });
  if (pages === undefined) return;
  const { api, client } = pages;
  const rival = await api.tenant();
  const { cookie = "" } = await ownerOf(api, rival, "eve@example.com");
  const page = await pages.open("owner", "/leads/new");
  await installClock(page);
  await page.reload();
  await page.getByLabel(/^Name/).fill("Mara Lind");
  /** Replaces the cookie that all windows share, as the sign-in page in another window does. */
  await page
    .context()
    .addCookies([{ name: "leadport", value: cookie.slice(cookie.indexOf("=") + 1), url: api.url }]);
  await page.getByRole("button", { name: "Create", exact: true }).click();
  await page.getByRole("dialog", { name: "Your session has ended" }).waitFor();
  for (const business of [client, rival]) assert.deepEqual(await leadsOf(business), []);

  // Once the page has loaded the session, it starts again as the other user.
  await forward(page, 61_000);
  await page.evaluate("window.dispatchEvent(new Event('visibilitychange'))");
  await page.getByRole("dialog").waitFor({ state: "hidden" });
  assert.equal(await page.getByLabel(/^Name/).inputValue(), "");
  await page.getByLabel(/^Name/).fill("Jon Berg");
  await page.getByRole("button", { name: "Create", exact: true }).click();
  await page.getByRole("heading", { level: 1, name: "Jon Berg" }).waitFor();
  assert.equal((await leadsOf(rival)).length, 1);
});

test("an unsafe return URL is ignored", async (t) => {
  const pages = await startConsole(t, { isAlone: true });
  if (pages === undefined) return;
  await pages.open("owner");
  const page = await pages.openAsNobody("/sign-in?to=%2F%2Fexample.org%2F");
  await signIn(page, "ada@example.com");
  await page.getByRole("heading", { name: "Hello, Ada" }).waitFor();
  assert.equal(new URL(page.url()).host, new URL(pages.api.url).host);
});

test("users change their own name and password", async (t) => {
  const pages = await startConsole(t, { isAlone: true });
  if (pages === undefined) return;
  const page = await pages.open("viewer", "/profile");
  await page.getByRole("textbox", { name: "Name" }).fill("Vera Viewer");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("button", { name: /Vera Viewer/ }).waitFor();
  await page.getByRole("textbox", { name: "Current password" }).fill("wrong horse battery");
  await page.getByRole("textbox", { name: "New password" }).fill("another long password");
  await page.getByRole("button", { name: "Change password" }).click();
  await page.getByRole("alert").waitFor();
  await page.getByRole("textbox", { name: "Current password" }).fill(PASSWORD);
  await page.getByRole("button", { name: "Change password" }).click();
  await page.getByText("Password changed").waitFor();
  const { status } = await pages.client.request({
    method: "POST",
    path: "/auth/sign_in",
    headers: { "content-type": "application/json", "sec-fetch-site": "same-origin" },
    body: JSON.stringify({ email: "viewer@example.com", password: "another long password" }),
  });
  assert.equal(status, 200);
  const people = ok(await pages.client.get("/crm/admin/people")).body as { name: string }[];
  assert.ok(people.some(({ name }) => name === "Vera Viewer"));
});
