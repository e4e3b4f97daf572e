/** What tests of the review do on its page. */

import assert from "node:assert/strict";
import type { Locator, Page } from "playwright-core";
import { ok } from "../../api/samples.ts";
import { type partnerOf, REVIEW, reviewed, type PushedBody } from "../../exchange/exchange-kit.ts";
import type { Client } from "../../kit/api.ts";
import { eventually } from "../../kit/eventually.ts";

export type Partner = Awaited<ReturnType<typeof partnerOf>>;

/** Submits `count` leads, one after another. */
export async function pushMany(partner: Partner, count: number): Promise<PushedBody[]> {
  const pushed: PushedBody[] = [];
  for (let at = 1; at <= count; at += 1) {
    pushed.push(await partner.push({ name: `Lead ${String(at).padStart(2, "0")}` }));
  }
  return pushed;
}

export const headingOf = (page: Page, name: string): Locator =>
  page.getByRole("region", { name: "Partner lead" }).getByRole("heading", { name, level: 2 });
export const rowOf = (page: Page, name: string): Locator =>
  page.getByRole("list", { name: "Partner leads" }).getByRole("link", { name });

export const stateOf = async (client: Client, { id }: PushedBody): Promise<string> =>
  (await reviewed(client, id)).status;

/** Reads the statuses of leads with a single request, so that waiting for them does not exceed the rate limit. */
export async function statesOf(
  client: Client,
  leads: readonly PushedBody[],
): Promise<readonly string[]> {
  const found: readonly PushedBody[] = ok(await client.get(REVIEW, { page_size: 100 })).body;
  const states = new Map(found.map(({ id, status }) => [id, status]));
  return leads.map(({ id }) => states.get(id) ?? "not listed");
}

/** Waits until leads have these statuses. */
export async function untilStates(
  client: Client,
  leads: readonly PushedBody[],
  wanted: readonly string[],
): Promise<void> {
  await eventually(
    () => statesOf(client, leads),
    (states) => states.join() === wanted.join(),
  );
}

/** The requests that send decisions. */
export const DECISIONS = /\/pushed_leads\/(batch|[0-9a-f]{24}\/accept)$/;

/** How long the page lets users undo a decision. */
export const UNDO_ms = 6000;

/**
 * Lets decisions be undone for ten minutes instead, however slow the machine is. This applies until the page is loaded
 * again.
 */
export const holdDecisions = (page: Page): Promise<void> =>
  page.evaluate(`{
    const start = window.setTimeout;
    window.setTimeout = (call, ms, ...args) => start(call, ms === ${UNDO_ms} ? 600_000 : ms, ...args);
  }`);

/** Reloads the page, and waits until it receives events. The stream of the page as it was before does not count. */
export async function reloadAndFollow(page: Page): Promise<void> {
  const following = page.waitForRequest((request) => request.url().includes("/stream"));
  await page.reload();
  assert.equal((await (await following).response())?.status(), 200);
}

/** Presses a number key in the reject dialog. Keys pressed before a button of the dialog has the focus are ignored. */
export async function chooseReason(page: Page, number: number): Promise<void> {
  await page.getByRole("dialog").locator("button:focus").waitFor();
  await page.keyboard.press(String(number));
}

/** Opens another page of the console. This sends the decisions that could still be undone. */
export const leave = (page: Page): Promise<void> =>
  page.getByRole("navigation", { name: "Main menu" }).getByRole("link", { name: "Home" }).click();
