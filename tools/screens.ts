/**
 * Takes the screenshots that README.md shows: `npm run screens`. The name of a picture in docs/screens/ is the name of a
 * console page and the width of the window. The pages show demo data created by `leadport demo`.
 */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import test from "node:test";
import type { Page } from "playwright-core";
import { startConsole } from "../test/kit/console.ts";
import { demoBusiness } from "../test/kit/demo-business.ts";

const ROOT = join(import.meta.dirname, "..");
const README = readFileSync(join(ROOT, "README.md"), "utf8");
const SHOWN = [...README.matchAll(/\((docs\/screens\/([\w-]+)-(\d+)\.webp)\)/g)];

test("screenshots of the pages that README.md shows", async (t) => {
  assert.ok(SHOWN.length > 0);
  const pages = await startConsole(t, { works: true });
  if (pages === undefined) return;
  const { owner, addresses } = await demoBusiness(pages);
  const page = await pages.openAs(owner);
  for (const [, file = "", name = "", width] of SHOWN) {
    const path = addresses[name];
    assert.ok(path !== undefined, `${file}: the console has no page called ${name}`);
    await page.goto(new URL(path, page.url()).href);
    await take(page, { file: join(ROOT, file), width: Number(width) });
  }
});

/** Takes a small screenshot of a window of 16:10 once its page has loaded. */
async function take(
  page: Page,
  { file, width }: { readonly file: string; readonly width: number },
) {
  const height = (width * 10) / 16;
  await page.setViewportSize({ width, height });
  await page.locator("h1").first().waitFor();
  await page.waitForTimeout(1500);
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send("Page.captureScreenshot", {
    format: "webp",
    quality: 70,
    clip: { x: 0, y: 0, width, height, scale: 0.5 },
  });
  await session.detach();
  await writeFile(file, Buffer.from(data, "base64"));
}
