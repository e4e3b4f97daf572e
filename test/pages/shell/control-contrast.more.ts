/** The contrast between form controls and their surroundings, measured in pixels in both themes (WCAG 1.4.11). */

import assert from "node:assert/strict";
import test from "node:test";
import { isDeepStrictEqual } from "node:util";
import type { Page } from "playwright-core";
import { ok } from "../../api/samples.ts";
import { startConsole } from "../../kit/console.ts";
import { eventually } from "../../kit/eventually.ts";

const CONTRAST_MIN = 3;

interface Control {
  readonly what: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/**
 * Returns the boxes of all visible, enabled controls. If an input is represented by another element on screen, the box
 * of that element is used. If an input is inside a larger bordered box, the larger box is used.
 */
const CONTROLS = `[...document.querySelectorAll("input:not([type=hidden]), textarea, select")].flatMap((input) => {
  if (input.disabled || input.closest("[aria-hidden=true]") !== null) return [];
  let box = input;
  // For segmented controls, the indicator of the selected segment.
  const segments = input.closest(".mantine-SegmentedControl-root");
  if (segments !== null && !input.checked) return [];
  if (segments !== null) box = segments.querySelector(".mantine-SegmentedControl-indicator");
  else if (getComputedStyle(input).opacity === "0") box = input.nextElementSibling ?? input;
  for (let up = 0; up < 4 && box !== null; up += 1) {
    const { borderLeftWidth, borderLeftStyle, backgroundColor } = getComputedStyle(box);
    const hasBorder = borderLeftStyle !== "none" && parseFloat(borderLeftWidth) > 0;
    if (hasBorder || box.matches(".mantine-Switch-track")) break;
    box = box.parentElement;
  }
  if (box === null) return [];
  const { x, y, width, height } = box.getBoundingClientRect();
  const isSeen = width > 8 && height > 8 && x >= 4 && y >= 4 &&
    x + width + 4 <= innerWidth && y + height + 4 <= innerHeight &&
    (segments ?? box).contains(document.elementFromPoint(x + width / 2, y + height / 2));
  if (!isSeen) return [];
  const label = input.getAttribute("aria-label") ?? input.labels?.[0]?.innerText ?? input.name;
  const what = [input.getAttribute("role") ?? input.type, label, input.checked].join(" ");
  return [{ what, x, y, width, height }];
})`;

/** For each box, returns the highest contrast between its left edge and the pixels to the left of it. */
const contrastsOf = (png: string, controls: readonly Control[]) => `(async () => {
  const bytes = Uint8Array.from(atob("${png}"), (c) => c.charCodeAt(0));
  const image = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
  const canvas = new OffscreenCanvas(image.width, image.height);
  const context = canvas.getContext("2d");
  context.drawImage(image, 0, 0);
  const part = (value) => (value <= 10.31475 ? value / 3294.6 : ((value / 255 + 0.055) / 1.055) ** 2.4);
  const luminance = (x, y) => {
    const [r, g, b] = context.getImageData(x, y, 1, 1).data;
    return 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
  };
  return ${JSON.stringify(controls)}.map(({ x, y, width, height }) => {
    const row = Math.round(y + height / 2);
    const outside = luminance(Math.round(x) - 3, row);
    // A border, or a fill within a few pixels of the edge.
    const inside = Array.from({ length: 6 }, (_, at) => luminance(Math.round(x) + at, row));
    return Math.max(...inside.map((one) =>
      (Math.max(one, outside) + 0.05) / (Math.min(one, outside) + 0.05)));
  });
})()`;

const SETTLED = `Promise.allSettled(document.getAnimations()
  .filter(({ effect }) => effect.getTiming().iterations !== Infinity).map(({ finished }) => finished))`;

/** Returns the controls and a screenshot in which they are in the same places, even if the page is still loading. */
const pictureOf = (page: Page) =>
  eventually(
    async () => {
      const controls = await page.evaluate<Control[]>(CONTROLS);
      const png = (await page.screenshot()).toString("base64");
      return { controls, png, after: await page.evaluate<Control[]>(CONTROLS) };
    },
    ({ controls, after }) => isDeepStrictEqual(controls, after),
  );

/**
 * Asserts that all visible controls have enough contrast in both themes. Returns the kinds of controls that were
 * checked.
 */
async function assertContrast(page: Page): Promise<readonly string[]> {
  const seen: string[] = [];
  for (const scheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" });
    await page
      .locator(`html[data-mantine-color-scheme="${scheme}"]`)
      .waitFor({ state: "attached" });
    await page.evaluate(SETTLED);
    const { controls, png } = await pictureOf(page);
    assert.ok(controls.length > 0, page.url());
    const contrasts = await page.evaluate<number[]>(contrastsOf(png, controls));
    const weak = controls
      .map(({ what }, at) => `${what}: ${contrasts[at]?.toFixed(2)}`)
      .filter((_, at) => (contrasts[at] ?? 0) < CONTRAST_MIN);
    assert.deepEqual(weak, [], `${page.url()} in ${scheme}`);
    seen.push(...controls.map(({ what }) => what.replace(/ .* /, " ")));
  }
  return seen;
}

test("every form control has a contrast of at least 3:1 with its surroundings, checked or not", async (t) => {
  const pages = await startConsole(t);
  if (pages === undefined) return;
  const { client } = pages;
  const task = ok(
    await client.post("/crm/tasks", { name: "Call", action_data: { a: true, b: false } }),
  ).body;
  ok(await client.post("/crm/tasks", { name: "Done", status: "completed" }));
  const lead = ok(await client.post("/crm/leads", { name: "Mara Lind" })).body;
  const page = await pages.open("owner", "/tasks");
  const seen = new Set<string>();
  const look = async () => {
    for (const kind of await assertContrast(page)) seen.add(kind);
  };
  // Checkboxes in a table, including a selected row.
  await page.getByRole("row", { name: /Call/ }).getByRole("checkbox").first().click();
  await page.getByRole("heading", { level: 1 }).hover();
  await look();
  await page.goto(`${pages.api.url}/tasks/${task._id}?edit=true`);
  await page.getByRole("button", { name: "More fields" }).click();
  await page.getByLabel("Action details: value 2").scrollIntoViewIfNeeded();
  await look();
  await page.goto(`${pages.api.url}/leads/new`);
  await page.getByRole("button", { name: "Create", exact: true }).click();
  await page.getByText("Required").waitFor();
  await look();
  await page.goto(`${pages.api.url}/leads/${lead._id}`);
  await page.getByRole("button", { name: "Convert" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Also create a deal").waitFor();
  await look();
  await dialog.getByLabel("Also create a deal").check();
  await look();
  await page.goto(`${pages.api.url}/settings/tenant`);
  await page.getByRole("radio").last().scrollIntoViewIfNeeded();
  await look();
  await page.goto(`${pages.api.url}/leads`);
  await page.getByRole("button", { name: "Columns" }).click();
  await page.getByRole("dialog").getByRole("checkbox").first().waitFor();
  await look();
  for (const kind of [
    "checkbox true",
    "checkbox false",
    "radio true",
    "radio false",
    "switch true",
    "switch false",
    "text false",
    "textarea ",
    "date false",
  ]) {
    assert.ok(
      [...seen].some((one) => one.startsWith(kind)),
      `${kind} is among ${[...seen].join(", ")}`,
    );
  }
});
