/** The deal board: columns and totals, every way to move a card, and rejected moves. */

import assert from "node:assert/strict";
import test from "node:test";
import { assertAccessible, startConsole } from "../../kit/console.ts";
import {
  assertFocusOn,
  cardOf,
  columnOf,
  dragByMouse,
  fill,
  hear,
  moveByMenu,
  pickUpByKeyboard,
} from "./board-kit.ts";

const touchAt = (x: number, y: number) => ({ touchPoints: [{ x, y }] });

const ROOF = { name: "Roof", stage: "draft", value_of_sale: 1000, probability_pcnt: 0.5 };
const FLOOR = { name: "Floor", stage: "draft", value_of_sale: 250.5, marketing_source: "Fair" };
const WALL = { name: "Wall", stage: "contract_pending", expected_close_date: 1_700_000_000 };

test("a card moves by mouse, keyboard and menu, and the totals are updated", async (t) => {
  const pages = await startConsole(t);
  if (pages === undefined) return;
  const { stageOf } = await fill(pages.client, [ROOF, FLOOR, WALL]);
  const page = await pages.open("agent", "/board");
  await columnOf(page, "Draft").getByText("2 deals · $1,250.50").waitFor();
  await columnOf(page, "Draft").getByText("$750.50 weighted").waitFor();
  await cardOf(page, "Contract pending", "Wall")
    .getByText(/Overdue since/)
    .waitFor();
  await assertAccessible(page);

  // Move a card with the mouse.
  await dragByMouse(page, "Roof", ["Draft", "Discovery"]);
  await cardOf(page, "Discovery", "Roof").waitFor();
  await columnOf(page, "Discovery").getByText("1 deal · $1,000").waitFor();
  assert.equal(await stageOf("Roof"), "discovery");

  // Move a card by touch: hold it, then drag it.
  const touch = await page.context().newCDPSession(page);
  const held = await cardOf(page, "Discovery", "Roof").boundingBox();
  const left = await columnOf(page, "Prospecting").boundingBox();
  assert.ok(held !== null && left !== null);
  const start = touchAt(held.x + 30, held.y + held.height - 8);
  await touch.send("Input.dispatchTouchEvent", { type: "touchStart", ...start });
  await hear(page, "Picked up Roof from Discovery.");
  for (const step of [0.3, 0.6, 1]) {
    const x = held.x + 30 + (left.x + left.width / 2 - held.x - 30) * step;
    await touch.send("Input.dispatchTouchEvent", { type: "touchMove", ...touchAt(x, held.y + 80) });
  }
  await hear(page, "Roof is over Prospecting.");
  await touch.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  await cardOf(page, "Prospecting", "Roof").waitFor();
  await columnOf(page, "Prospecting").getByText("1 deal · $1,000").waitFor();
  assert.equal(await stageOf("Roof"), "prospecting");

  // Move a card with the keyboard. Each step is announced, and focus stays on the card.
  await pickUpByKeyboard(page, "Floor", "Draft");
  await page.keyboard.press("ArrowRight");
  await hear(page, "Floor is over Prospecting.");
  await page.keyboard.press("Space");
  await cardOf(page, "Prospecting", "Floor").waitFor();
  await columnOf(page, "Prospecting").getByText("2 deals · $1,250.50").waitFor();
  assert.equal(await stageOf("Floor"), "prospecting");
  await assertFocusOn(page, "Move Floor");

  // Escape returns the card to its original column.
  await pickUpByKeyboard(page, "Floor", "Prospecting");
  await page.keyboard.press("ArrowRight");
  await hear(page, "Floor is over Discovery.");
  await page.keyboard.press("Escape");
  await hear(page, "Floor stays in Prospecting.");
  await cardOf(page, "Prospecting", "Floor").waitFor();

  // Move a card through its menu. Winning a deal is announced.
  await page.getByRole("button", { name: "Move Wall to a stage" }).click();
  await assertAccessible(page);
  await page.getByRole("menuitem", { name: "Move to Closed won" }).click();
  await cardOf(page, "Closed won", "Wall").waitFor();
  await page.getByText("You won Wall.").waitFor();
  await assertFocusOn(page, "Move Wall to a stage");
  assert.equal(await stageOf("Wall"), "closed_won");
});

test("a move after another user's change is reverted with the reason, and can be repeated", async (t) => {
  const pages = await startConsole(t);
  if (pages === undefined) return;
  const { client } = pages;
  const { ids, stageOf } = await fill(client, [ROOF]);
  const page = await pages.open("agent", "/board");
  await cardOf(page, "Draft", "Roof").waitFor();
  await client.patch(`/crm/opportunities/${ids.get("Roof")}`, { value_of_sale: 2000 });
  await moveByMenu(page, "Roof", "Closed won");
  await page.getByText("Could not move Roof").waitFor();
  await page.getByText(/Someone else changed this deal \(Weighted value, Value\)/).waitFor();
  await cardOf(page, "Draft", "Roof").getByText("$2,000").waitFor();
  assert.equal(await stageOf("Roof"), "draft");
  await moveByMenu(page, "Roof", "Closed won");
  await cardOf(page, "Closed won", "Roof").waitFor();
  await page.getByText("You won Roof: $2,000.").waitFor();
  assert.equal(await stageOf("Roof"), "closed_won");
});

test("the board can be filtered, loads more on scroll, and shows one column on a narrow screen", async (t) => {
  const pages = await startConsole(t);
  if (pages === undefined) return;
  const { client } = pages;
  const empty = await pages.open("agent", "/board");
  await empty.getByRole("heading", { name: "No deals yet" }).waitFor();
  await assertAccessible(empty);
  await empty.close();
  const many = Array.from({ length: 70 }, (_, at) => ({
    name: `Tile ${at}`,
    stage: "prospecting",
  }));
  await fill(client, [ROOF, FLOOR, WALL, ...many]);
  const page = await pages.open("viewer", "/board");
  await columnOf(page, "Prospecting").getByText("70 deals").waitFor();
  assert.equal(await page.getByRole("button", { name: /^Move/ }).count(), 0);
  assert.equal(await page.getByRole("link", { name: /^Create deal/ }).count(), 0);
  await cardOf(page, "Prospecting", "Tile 69").first().scrollIntoViewIfNeeded();
  await cardOf(page, "Prospecting", "Tile 20").scrollIntoViewIfNeeded();
  await page.getByText("Tile 0", { exact: true }).scrollIntoViewIfNeeded();

  await page.getByLabel("Source").selectOption("Fair");
  await columnOf(page, "Prospecting").getByText("0 deals").waitFor();
  await cardOf(page, "Draft", "Floor").waitFor();
  assert.equal(new URL(page.url()).searchParams.get("source"), "Fair");
  await page.getByRole("button", { name: "Clear filters" }).click();
  await columnOf(page, "Prospecting").getByText("70 deals").waitFor();
  await page.getByLabel("Account or contact").fill("no match (at all");
  await page.getByRole("heading", { name: "No matching deals" }).waitFor();
  await assertAccessible(page);
  await page.getByLabel("Account or contact").fill("moor");
  await columnOf(page, "Draft").getByText("2 deals").waitFor();
  // A link to the board without filters also empties the search box.
  const menu = page.getByRole("navigation", { name: "Main menu" });
  await menu.getByRole("link", { name: "Deal board" }).click();
  await columnOf(page, "Prospecting").getByText("70 deals").waitFor();
  await page.getByLabel("Account or contact").and(page.locator('[value=""]')).waitFor();
  await page.getByLabel("Account or contact").fill("moor");
  // The counts are the same as without this filter, but now there is a filter to clear.
  await page.getByRole("button", { name: "Clear filters" }).waitFor();
  await columnOf(page, "Draft").getByText("2 deals").waitFor();
  await page.getByLabel("Closing before").fill("2023-12-01");
  await columnOf(page, "Contract pending").getByText("1 deal").waitFor();
  await columnOf(page, "Draft").getByText("0 deals").waitFor();

  await page.setViewportSize({ width: 390, height: 844 });
  await page.reload();
  await page.getByLabel("Stage", { exact: true }).selectOption("contract_pending");
  await cardOf(page, "Contract pending", "Wall").waitFor();
  assert.equal(await page.getByRole("region").count(), 1);
  await assertAccessible(page);
});

test("the board reports that more accounts match than it can search", async (t) => {
  const pages = await startConsole(t);
  if (pages === undefined) return;
  const { client } = pages;
  await fill(client, [ROOF]);
  const items = Array.from({ length: 500 }, (_, at) => ({ name: `Moor ${at}` }));
  assert.equal((await client.post("/crm/accounts/batch", { items })).status, 207);
  const page = await pages.open("viewer", "/board?who=Moor");
  await page.getByText("At least 500 accounts or contacts match").waitFor();
  await page.getByLabel("Account or contact").fill("Moor Ltd");
  await page.getByText("At least 500 accounts or contacts match").waitFor({ state: "detached" });
  await page.getByText("Roof").waitFor();
});
