/**
 * What follows a move on the board: the prompt that asks why a deal was lost, and the six seconds in which a move can
 * be undone.
 */

import assert from "node:assert/strict";
import test from "node:test";
import type { Page } from "playwright-core";
import { assertAccessible, startConsole } from "../../kit/console.ts";
import { eventually } from "../../kit/eventually.ts";
import { installClock, pauseClock } from "../../kit/page-clock.ts";
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

const lostDialog = (page: Page) => page.getByRole("dialog", { name: "Why was this deal lost?" });

const undoButton = (page: Page, text: string) =>
  page.getByRole("alert").filter({ hasText: text }).getByRole("button", { name: "Undo" });

/** Opens the page with the undo timer disabled, because six seconds may be too short on a busy machine. */
async function withoutEnd(page: Page): Promise<Page> {
  await page.addInitScript(`{
    const start = globalThis.setTimeout;
    globalThis.setTimeout = (work, delay, ...values) =>
      delay === 6000 ? undefined : start(work, delay, ...values);
  }`);
  await page.reload();
  return page;
}

const ROOF = { name: "Roof", stage: "contract_pending", value_of_sale: 1000 };
const FLOOR = { name: "Floor", stage: "contract_pending" };
const WALL = { name: "Wall", stage: "contract_pending" };
const GATE = { name: "Gate", stage: "closed_lost", lost_reason: "Price too high" };

test("a move to closed lost asks for an optional reason, by menu, keyboard and mouse", async (t) => {
  const pages = await startConsole(t);
  if (pages === undefined) return;
  const { dealOf } = await fill(pages.client, [ROOF, FLOOR, WALL, GATE]);
  const page = await withoutEnd(await pages.open("agent", "/board"));
  await page.setViewportSize({ width: 2300, height: 900 });
  await cardOf(page, "Closed lost", "Gate").getByText("Lost: Price too high").waitFor();
  const reasonOf = async (name: string) => {
    const { stage, lost_reason } = await dealOf(name);
    return [stage, lost_reason];
  };

  // After canceling, the deal stays in its column, and focus returns to where it was.
  await moveByMenu(page, "Roof", "Closed lost");
  await lostDialog(page).getByText("Roof").waitFor();
  await assertAccessible(page);
  await lostDialog(page).getByRole("button", { name: "Cancel" }).click();
  await assertFocusOn(page, "Move Roof to a stage");
  assert.deepEqual(await reasonOf("Roof"), ["contract_pending", null]);

  // Close a deal as lost through its menu, with a listed reason.
  await moveByMenu(page, "Roof", "Closed lost");
  await lostDialog(page).getByRole("button", { name: "No budget" }).click();
  await cardOf(page, "Closed lost", "Roof").getByText("Lost: No budget").waitFor();
  await undoButton(page, "Moved Roof to Closed lost.").waitFor();
  await assertFocusOn(page, "Move Roof to a stage");
  assert.deepEqual(await reasonOf("Roof"), ["closed_lost", "No budget"]);

  // Close a deal as lost with the keyboard, without a reason.
  await pickUpByKeyboard(page, "Floor", "Contract pending");
  await page.keyboard.press("ArrowRight");
  await hear(page, "Floor is over Closed won.");
  await page.keyboard.press("ArrowRight");
  await hear(page, "Floor is over Closed lost.");
  await page.keyboard.press("Space");
  await lostDialog(page).getByRole("button", { name: "Mark as lost" }).click();
  await lostDialog(page).getByText("Enter a reason, or choose Skip").waitFor();
  await lostDialog(page).getByRole("button", { name: "Skip" }).click();
  await undoButton(page, "Moved Floor to Closed lost.").waitFor();
  await assertFocusOn(page, "Move Floor");
  assert.deepEqual(await reasonOf("Floor"), ["closed_lost", null]);

  // Close a deal as lost with the mouse, with a custom reason.
  await dragByMouse(page, "Wall", ["Contract pending", "Closed lost"]);
  await lostDialog(page).getByLabel("Another reason").fill("  The yard was sold  ");
  await page.keyboard.press("Control+Enter");
  await cardOf(page, "Closed lost", "Wall").getByText("Lost: The yard was sold").waitFor();
  await undoButton(page, "Moved Wall to Closed lost.").waitFor();
  assert.deepEqual(await reasonOf("Wall"), ["closed_lost", "The yard was sold"]);
});

test("keyboard moves reach columns that are out of view, and can be canceled", async (t) => {
  const pages = await startConsole(t);
  if (pages === undefined) return;
  const { stageOf } = await fill(pages.client, [{ ...ROOF, stage: "draft" }]);
  const page = await pages.open("agent", "/board");
  await page.setViewportSize({ width: 1024, height: 768 });
  await pickUpByKeyboard(page, "Roof", "Draft");
  const stages = ["Prospecting", "Discovery", "Developing", "Negotiation review"];
  for (const stage of [...stages, "Contract pending", "Closed won"]) {
    await page.keyboard.press("ArrowRight");
    await hear(page, `Roof is over ${stage}.`);
  }
  await page.keyboard.press("ArrowLeft");
  await hear(page, "Roof is over Contract pending.");
  await page.keyboard.press("Space");
  await cardOf(page, "Contract pending", "Roof").waitFor();
  await undoButton(page, "Moved Roof to Contract pending.").waitFor();
  await assertFocusOn(page, "Move Roof");
  assert.equal(await stageOf("Roof"), "contract_pending");
});

test("undoing a move, by button or keyboard, restores the cleared reason", async (t) => {
  const pages = await startConsole(t);
  if (pages === undefined) return;
  const { dealOf, stageOf } = await fill(pages.client, [ROOF, GATE]);
  const page = await withoutEnd(await pages.open("agent", "/board"));
  await moveByMenu(page, "Gate", "Discovery");
  await cardOf(page, "Discovery", "Gate").waitFor();
  await undoButton(page, "Moved Gate to Discovery.").waitFor();
  assert.deepEqual(
    [await stageOf("Gate"), (await dealOf("Gate")).lost_reason],
    ["discovery", null],
  );
  await assertAccessible(page);
  await undoButton(page, "Moved Gate to Discovery.").click();
  await page.getByText("Moved Gate back to Closed lost.").waitFor();
  await cardOf(page, "Closed lost", "Gate").getByText("Lost: Price too high").waitFor();
  await assertFocusOn(page, "Move Gate to a stage");
  const gate = await dealOf("Gate");
  assert.deepEqual([gate.stage, gate.lost_reason], ["closed_lost", "Price too high"]);

  // Undo two moves with the keyboard. The most recent move is undone first.
  await moveByMenu(page, "Roof", "Draft");
  await undoButton(page, "Moved Roof to Draft.").waitFor();
  await moveByMenu(page, "Gate", "Draft");
  await undoButton(page, "Moved Gate to Draft.").waitFor();
  await page.keyboard.press("Control+z");
  await cardOf(page, "Closed lost", "Gate").waitFor();
  await cardOf(page, "Draft", "Roof").waitFor();
  await page.keyboard.press("Control+z");
  await page.getByText("Moved Roof back to Contract pending.").waitFor();
  await cardOf(page, "Contract pending", "Roof").waitFor();
  assert.equal(await stageOf("Roof"), "contract_pending");
  await eventually(
    () => dealOf("Gate"),
    ({ lost_reason }) => lost_reason === "Price too high",
  );

  // A second move replaces the first one. Undoing it restores the stage before the second move.
  await moveByMenu(page, "Roof", "Draft");
  await undoButton(page, "Moved Roof to Draft.").waitFor();
  await moveByMenu(page, "Roof", "Prospecting");
  await undoButton(page, "Moved Roof to Prospecting.").waitFor();
  await undoButton(page, "Moved Roof to Draft.").waitFor({ state: "detached" });
  await page.keyboard.press("Control+z");
  await page.getByText("Moved Roof back to Draft.").waitFor();
  assert.equal(await stageOf("Roof"), "draft");
});

test("a change by someone else is not overwritten by undoing a move", async (t) => {
  const pages = await startConsole(t);
  if (pages === undefined) return;
  const { dealOf, change } = await fill(pages.client, [ROOF]);
  const page = await withoutEnd(await pages.open("agent", "/board"));
  await moveByMenu(page, "Roof", "Closed won");
  await page.getByText("You won Roof: $1,000.").waitFor();
  await change("Roof", { value_of_sale: 3000 });
  await undoButton(page, "You won Roof: $1,000.").click();
  const alert = page.getByRole("alert").filter({ hasText: "Could not move Roof back" });
  await alert.getByText(/after you moved it \(Weighted value, Value\)/).waitFor();
  await cardOf(page, "Closed won", "Roof").getByText("$3,000").waitFor();
  const { stage, value_of_sale } = await dealOf("Roof");
  assert.deepEqual([stage, value_of_sale], ["closed_won", 3000]);
});

test("a move can be undone for six seconds, and the timer pauses while the notification is used", async (t) => {
  const pages = await startConsole(t);
  if (pages === undefined) return;
  await fill(pages.client, [ROOF]);
  const page = await pages.open("agent");
  await installClock(page);
  await page.goto(`${pages.api.url}/board`);
  await columnOf(page, "Contract pending").getByText("1 deal · $1,000").waitFor();
  // Every column shows its deals.
  await eventually(
    () => page.locator("section[aria-busy=true]").count(),
    (count) => count === 0,
  );
  await page.getByRole("button", { name: "Move Roof to a stage" }).click();
  // From here on, the test controls the clock.
  await pauseClock(page);
  await page.getByRole("menuitem", { name: "Move to Draft" }).click();
  const undo = undoButton(page, "Moved Roof to Draft.");
  await undo.hover();
  await page.clock.runFor(20_000);
  await undo.focus();
  await page.mouse.move(5, 5);
  await page.clock.runFor(20_000);
  assert.equal(await undo.count(), 1);
  await page.getByRole("heading", { level: 1 }).focus();
  await page.clock.runFor(5900);
  assert.equal(await undo.count(), 1);
  await page.clock.runFor(200);
  await page.clock.resume();
  await undo.waitFor({ state: "detached" });
  await page.keyboard.press("Control+z");
  await columnOf(page, "Draft").getByText("1 deal · $1,000").waitFor();
  await cardOf(page, "Draft", "Roof").waitFor();
});

test("the page of a deal asks for the reason, shows it and lets the user change it", async (t) => {
  const pages = await startConsole(t);
  if (pages === undefined) return;
  const { ids, dealOf } = await fill(pages.client, [ROOF]);
  const page = await pages.open("agent", `/deals/${ids.get("Roof")}`);
  const details = page.getByRole("region", { name: "Details" });
  const lostReason = page.getByRole("combobox", { name: "Lost reason" });
  await details.getByText("Moor Ltd").waitFor();
  assert.equal(await details.getByText("Lost reason").count(), 0);
  await page.getByRole("button", { name: "Stage: Contract pending. Change" }).click();
  await page.getByRole("menuitem", { name: "Closed lost" }).click();
  await lostDialog(page).getByRole("button", { name: "Bad timing" }).waitFor();
  await page.keyboard.press("4");
  await details.getByText("Bad timing").waitFor();
  assert.equal((await dealOf("Roof")).lost_reason, "Bad timing");

  await page.getByRole("button", { name: "Edit", exact: true }).click();
  await lostReason.fill("Chose");
  await page.getByRole("option", { name: "Chose a competitor" }).click();
  await assertAccessible(page);
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await details.getByText("Chose a competitor").waitFor();
  assert.equal((await dealOf("Roof")).lost_reason, "Chose a competitor");

  // In any other stage, the form hides the reason field and does not send its value.
  await page.getByRole("button", { name: "Edit", exact: true }).click();
  await lostReason.fill("Something else");
  await page.getByRole("combobox", { name: "Stage" }).click();
  await page.getByRole("option", { name: "Developing" }).click();
  await lostReason.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByRole("button", { name: "Stage: Developing. Change" }).waitFor();
  const { stage, lost_reason } = await dealOf("Roof");
  assert.deepEqual([stage, lost_reason], ["developing", null]);
});
