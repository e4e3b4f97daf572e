/** Decisions in the review that can still be undone are sent when the page is left, and none is lost. */

import assert from "node:assert/strict";
import test from "node:test";
import { ok } from "../../api/samples.ts";
import { decide, partnerOf, type PushedBody } from "../../exchange/exchange-kit.ts";
import { assertAccessible, holdRequests, startConsole } from "../../kit/console.ts";
import { installClock, pauseClock } from "../../kit/page-clock.ts";
import { ownerOf, PASSWORD } from "../../people/people-kit.ts";
import {
  pushMany,
  headingOf,
  stateOf,
  untilStates,
  DECISIONS,
  holdDecisions,
  leave,
} from "./review-kit.ts";

test("closing the window loses no held decision", async (t) => {
  const pages = await startConsole(t);
  if (pages === undefined) return;
  const { client } = pages;
  const leads = await pushMany(await partnerOf(client), 3);
  const page = await pages.open("reviewer", "/review");
  await headingOf(page, "Lead 01").waitFor();
  await page.keyboard.press("a");
  await headingOf(page, "Lead 02").waitFor();
  await page.keyboard.press("a");
  await headingOf(page, "Lead 03").waitFor();
  await page.goto("about:blank");
  await untilStates(client, leads, ["accepted", "accepted", "pending"]);
});

test("decisions that cannot be sent are kept and sent when the service is back", async (t) => {
  const pages = await startConsole(t);
  if (pages === undefined) return;
  const { client } = pages;
  const leads = await pushMany(await partnerOf(client), 2);
  const page = await pages.open("reviewer", "/review");
  await headingOf(page, "Lead 01").waitFor();
  await page.route("**/accept", (route) => route.fulfill({ status: 500, json: { detail: "?" } }));
  await page.keyboard.press("a");
  await page.getByText("1 decision could not be sent.").waitFor();
  await assertAccessible(page);
  await page.unroute("**/accept");
  await page.getByRole("button", { name: "Try again" }).click();
  await untilStates(client, leads, ["accepted", "pending"]);
});

test("a lead that is not in the list is decided on the page that a link opens", async (t) => {
  const pages = await startConsole(t);
  if (pages === undefined) return;
  const { client } = pages;
  const [lead] = await pushMany(await partnerOf(client), 1);
  ok(await decide(client, lead?.id ?? "", "accept"));
  const page = await pages.open("reviewer", `/review/${lead?.id}`);
  await page.getByRole("button", { name: "Import", exact: true }).click();
  await untilStates(client, [lead as PushedBody], ["imported"]);
});

test("a link that is clicked right after a decision is followed, even if its page loads slowly", async (t) => {
  const pages = await startConsole(t);
  if (pages === undefined) return;
  const { client } = pages;
  const [lead] = await pushMany(await partnerOf(client), 2);
  const page = await pages.open("reviewer", "/review");
  await installClock(page);
  await page.reload();
  await headingOf(page, "Lead 01").waitFor();
  await holdDecisions(page);
  const release = await holdRequests(page, /\/assets\/home-/);
  await pauseClock(page);
  await page.keyboard.press("a");
  await headingOf(page, "Lead 02").waitFor();
  await leave(page);
  // The URL of the current lead is updated after 150 ms.
  await page.clock.runFor(1000);
  assert.equal(new URL(page.url()).pathname, "/");
  await page.clock.resume();
  release();
  await untilStates(client, [lead as PushedBody], ["accepted"]);
});

test("signing out sends the decisions that could still be undone", async (t) => {
  const pages = await startConsole(t);
  if (pages === undefined) return;
  const { client } = pages;
  const [lead] = await pushMany(await partnerOf(client), 1);
  const page = await pages.open("reviewer", "/review");
  await headingOf(page, "Lead 01").waitFor();
  await holdDecisions(page);
  await page.keyboard.press("a");
  await page.getByRole("button", { name: "Undo" }).waitFor();
  await page.getByRole("button", { name: /Pat reviewer/ }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  assert.equal(await stateOf(client, lead as PushedBody), "accepted");
});

test("a decision that could still be undone is dropped if another user signs in", async (t) => {
  const pages = await startConsole(t);
  if (pages === undefined) return;
  const { api, client } = pages;
  const [lead] = await pushMany(await partnerOf(client), 1);
  const { cookie = "" } = await ownerOf(api, await api.tenant(), "eve@example.com");
  const page = await pages.open("reviewer", "/review");
  await headingOf(page, "Lead 01").waitFor();
  await holdDecisions(page);
  await page.keyboard.press("a");
  await page.getByRole("button", { name: "Undo" }).waitFor();
  const value = cookie.slice(cookie.indexOf("=") + 1);
  await page.context().addCookies([{ name: "leadport", value, url: api.url }]);
  const refused = page.waitForResponse((response) => DECISIONS.test(response.url()));
  await leave(page);
  assert.equal((await refused).status(), 401);
  await page.getByLabel("Email").fill("eve@example.com");
  await page.getByRole("textbox", { name: "Password" }).fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("link", { name: "Review" }).click();
  await page.getByRole("heading", { name: "Review", level: 1 }).waitFor();
  assert.equal(await page.getByText("could not be sent").count(), 0);
  assert.equal(await stateOf(client, lead as PushedBody), "pending");
});
