/** Helpers for tests of the deal board: sample deals, columns, cards, and ways to move a card. */

import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { ok } from "../../api/samples.ts";
import type { Client } from "../../kit/api.ts";

export const columnOf = (page: Page, stage: string) =>
  page.getByRole("region", { name: stage, exact: true });

export const cardOf = (page: Page, stage: string, name: string) =>
  columnOf(page, stage).getByRole("listitem").filter({ hasText: name });

/** Waits until the control with this name has focus. */
export const assertFocusOn = (page: Page, name: string) =>
  page.locator(`[aria-label="${name}"]:focus`).waitFor();

/** Waits for text that may be available only to screen readers. */
export const hear = (page: Page, text: string) =>
  page.getByText(text).waitFor({ state: "attached" });

interface Stored {
  readonly _id: string;
  readonly name: string;
}

/** Creates an account with deals. Returns functions that read and change the deals by name. */
export async function fill(client: Client, deals: readonly Readonly<Record<string, unknown>>[]) {
  const account_id = String((await client.post("/crm/accounts", { name: "Moor Ltd" })).body._id);
  const items = deals.map((deal) => ({ account_id, ...deal }));
  const made = await client.post("/crm/opportunities/batch", { items });
  assert.equal(made.status, 207, made.text);
  const list = ok(await client.get("/crm/deals", { page_size: 500 })).body as Stored[];
  const ids = new Map(list.map(({ name, _id }) => [name, _id]));
  const dealOf = async (name: string) => ok(await client.get(`/crm/deals/${ids.get(name)}`)).body;
  const stageOf = async (name: string) => (await dealOf(name)).stage as string;
  const change = async (name: string, fields: object) =>
    ok(await client.patch(`/crm/opportunities/${ids.get(name)}`, fields)).body;
  return { ids, dealOf, stageOf, change };
}

/** Moves a deal through the menu on its card. */
export async function moveByMenu(page: Page, name: string, stage: string): Promise<void> {
  await page.getByRole("button", { name: `Move ${name} to a stage` }).click();
  await page.getByRole("menuitem", { name: `Move to ${stage}` }).click();
}

/** Drags a card to another visible column. */
export async function dragByMouse(page: Page, name: string, stages: readonly [string, string]) {
  const from = await cardOf(page, stages[0], name).boundingBox();
  const to = await columnOf(page, stages[1]).boundingBox();
  assert.ok(from !== null && to !== null);
  await page.mouse.move(from.x + 20, from.y + from.height - 8);
  await page.mouse.down();
  await page.mouse.move(from.x + 60, from.y + 60, { steps: 4 });
  await page.mouse.move(to.x + to.width / 2, to.y + 200, { steps: 8 });
  await hear(page, `${name} is over ${stages[1]}.`);
  await page.mouse.up();
}

/** Picks up a card with the keyboard, and waits until the arrow keys move it. */
export async function pickUpByKeyboard(page: Page, name: string, stage: string): Promise<void> {
  await page.getByRole("button", { name: `Move ${name}`, exact: true }).focus();
  await page.keyboard.press("Space");
  await hear(page, `Picked up ${name} from ${stage}.`);
  // After this announcement, a timer without a delay starts listening for keys. Timers run in order.
  await page.evaluate("new Promise((resolve) => setTimeout(resolve))");
}
