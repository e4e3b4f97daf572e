/** The layout of the board and of tables with few and many deals, and the board's error states. */

import assert from "node:assert/strict";
import test from "node:test";
import type { Page } from "playwright-core";
import { assertAccessible, startConsole } from "../../kit/console.ts";
import { isLong } from "../../kit/long.ts";
import { cardOf, columnOf, fill } from "./board-kit.ts";

/** Returns how many pixels taller and wider the document is than its window. */
const overflowOf = (page: Page) =>
  page.evaluate<{ readonly down: number; readonly sideways: number }>(`(() => {
    const { scrollHeight, clientHeight, scrollWidth, clientWidth } = document.documentElement;
    return { down: scrollHeight - clientHeight, sideways: scrollWidth - clientWidth };
  })()`);

/** Returns the elements whose content is wider than their column, except for ellipses and spinners. */
const tooWide = (page: Page) =>
  page.evaluate<readonly string[]>(`(() => {
    const board = document.querySelector('[role="group"][aria-label="Stages"]');
    return [...board.querySelectorAll("*")]
      .filter((element) => {
        const { display, overflowX } = getComputedStyle(element);
        const isCut = overflowX === "hidden" || overflowX === "clip";
        if (isCut || display === "inline" || !(element instanceof HTMLElement)) return false;
        if (element.matches(".mantine-Loader-root")) return false;
        return element.scrollWidth > element.clientWidth;
      })
      .map((element) => \`\${element.className} \${element.scrollWidth}>\${element.clientWidth}\`);
  })()`);

const LONG_NAME = `Berth ${"Donaudampfschifffahrtsgesellschaftskapitän ".repeat(11)}`.trim();

/** Several pages of 50. */
const COUNT = isLong ? 500 : 150;
const MANY = Array.from({ length: COUNT }, (_, at) => ({
  name: `Tile ${at}`,
  stage: "draft",
  value_of_sale: 123_456_789_012.34,
  expected_close_date: 1_700_000_000,
}));

test(`with ${COUNT} deals in a stage, the page fits the window and columns scroll only vertically`, async (t) => {
  const pages = await startConsole(t);
  if (pages === undefined) return;
  const few = ["discovery", "closed_won", "closed_lost"].map((stage) => ({
    name: `${LONG_NAME} ${stage}`,
    stage,
    value_of_sale: 1000,
    probability_pcnt: 0.5,
    ...(stage === "closed_lost" && { lost_reason: LONG_NAME }),
  }));
  await fill(pages.client, [...MANY, ...few]);
  const page = await pages.open("agent", "/board");
  const cards = columnOf(page, "Draft").getByRole("listitem").filter({ hasText: "Tile" });
  await columnOf(page, "Draft").getByText(`${COUNT} deals`).waitFor();
  await cards.nth(49).waitFor();
  for (const [width, height] of [
    [1440, 900],
    [1024, 768],
    [1920, 1080],
  ] as const) {
    await page.setViewportSize({ width, height });
    assert.deepEqual(await overflowOf(page), { down: 0, sideways: 0 }, `${width} px`);
    assert.deepEqual(await tooWide(page), [], `${width} px`);
  }
  // Scrolling loads all deals, page by page.
  for (let count = 50; count < COUNT; count += 50) {
    await cards.nth(count - 1).scrollIntoViewIfNeeded();
    await cards.nth(count + 49).waitFor();
  }
  await cards.nth(COUNT - 1).scrollIntoViewIfNeeded();
  assert.deepEqual(await overflowOf(page), { down: 0, sideways: 0 });
  assert.deepEqual(await tooWide(page), []);

  // Closed stages show no weighted total.
  await columnOf(page, "Discovery").getByText("$500 weighted").waitFor();
  for (const stage of ["Closed won", "Closed lost"]) {
    await columnOf(page, stage).getByText("1 deal · $1,000").waitFor();
    assert.equal(await columnOf(page, stage).getByText("weighted").count(), 0, stage);
  }

  // On a narrow screen, the page scrolls vertically but not horizontally.
  await page.setViewportSize({ width: 390, height: 844 });
  await page.reload();
  await cards.nth(49).waitFor();
  assert.equal((await overflowOf(page)).sideways, 0);
  assert.deepEqual(await tooWide(page), []);
  await page.getByLabel("Stage", { exact: true }).selectOption("closed_lost");
  await cardOf(page, "Closed lost", "Berth").waitFor();
  assert.equal((await overflowOf(page)).sideways, 0);
  assert.deepEqual(await tooWide(page), []);
});

test("a table whose columns fit does not scroll horizontally", async (t) => {
  const pages = await startConsole(t);
  if (pages === undefined) return;
  await fill(pages.client, MANY.slice(0, 60));
  await pages.client.post("/crm/leads", { name: "Mara Lind" });
  const page = await pages.open("agent");
  await page.setViewportSize({ width: 1920, height: 1080 });
  for (const path of ["/deals", "/leads"]) {
    await page.goto(pages.api.url + path);
    await page.getByRole("row").nth(1).waitFor();
    const wider = await page
      .getByRole("grid")
      .evaluate<number, { readonly scrollWidth: number; readonly clientWidth: number }>(
        (grid) => grid.scrollWidth - grid.clientWidth,
      );
    assert.equal(wider, 0, path);
  }
});

test("a column that fails to load shows the error and loads on retry", async (t) => {
  const pages = await startConsole(t);
  if (pages === undefined) return;
  await fill(pages.client, [...MANY.slice(0, 60), { name: "Roof", stage: "discovery" }]);
  const page = await pages.open("agent");
  let refused = 0;
  const refuse = (of: RegExp) =>
    page.route(of, async (route) => {
      refused += 1;
      await route.fulfill({ status: 400, json: { detail: "The list is not available." } });
    });
  // Fail the first page of one column and the totals of all columns.
  const failing = [/\/crm\/deals\?.*discovery/, /\/crm\/deals\/summary\?.*sum=/];
  for (const of of failing) await refuse(of);
  await page.goto(`${pages.api.url}/board`);
  const alert = (stage: string) => columnOf(page, stage).getByRole("alert");
  await alert("Discovery").getByText("The list is not available.").waitFor();
  await cardOf(page, "Draft", "Tile").first().waitFor();
  await assertAccessible(page);
  for (const of of failing) await page.unroute(of);
  await alert("Discovery").getByRole("button", { name: "Try again" }).click();
  await cardOf(page, "Discovery", "Roof").waitFor();
  await page.getByRole("button", { name: "Try again" }).click();
  await columnOf(page, "Discovery").getByText("1 deal").waitFor();

  // If a later page fails, the loaded deals remain, and the page is not requested in a loop.
  refused = 0;
  await refuse(/\/crm\/deals\?.*cursor=/);
  await columnOf(page, "Draft").getByText("Loading more deals").scrollIntoViewIfNeeded();
  await alert("Draft").getByText("The list is not available.").waitFor();
  assert.equal(await cardOf(page, "Draft", "Tile").count(), 50);
  await page.getByRole("button", { name: "Move Roof to a stage" }).click();
  await page.keyboard.press("Escape");
  assert.equal(refused, 1);
  await page.unroute(/\/crm\/deals\?.*cursor=/);
  await alert("Draft").getByRole("button", { name: "Try again" }).click();
  await cardOf(page, "Draft", "Tile").nth(59).waitFor();
});
