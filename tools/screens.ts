/**
 * Takes a small screenshot of each page at 1440 and 390 px for docs/screens/: `npm run screens`.
 * The pages show demo data created by `leadport demo`. `SCREENS=home,board npm run screens` takes
 * only the named screenshots.
 */

import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import test from "node:test";
import type { Page } from "playwright-core";
import { startConsole } from "../test/kit/console.ts";
import { demoBusiness } from "../test/kit/demo-business.ts";

const FOLDER = join(import.meta.dirname, "../docs/screens");

const SIZES = [
  { width: 1440, height: 900, scale: 0.5 },
  { width: 390, height: 844, scale: 0.6 },
] as const;

/** The screenshots to take. Default: all of them. */
const ONLY = (process.env["SCREENS"] ?? "").split(",").filter((name) => name !== "");
const isTaken = (name: string): boolean => ONLY.length === 0 || ONLY.includes(name);

test("screenshots of every page", async (t) => {
  const pages = await startConsole(t, { works: true });
  if (pages === undefined) return;
  if (ONLY.length === 0) await rm(FOLDER, { recursive: true, force: true });
  await mkdir(FOLDER, { recursive: true });
  const business = await demoBusiness(pages);
  await take(await pages.openAsNobody("/sign-in"), "sign-in", "/sign-in");
  const owner = await pages.openAs(business.owner);
  for (const [name, path] of Object.entries(business.console)) await take(owner, name, path);
  await take(owner, "palette", business.console["leads"] ?? "", async () => {
    await owner.keyboard.press("Control+k");
    await owner.getByRole("dialog").getByRole("combobox").fill(business.search);
  });
  const partner = await pages.openPartner(business.partner.token);
  for (const [name, path] of Object.entries(business.portal)) {
    await take(partner, `portal-${name}`, path);
  }
});

/** Once a page has loaded, takes a screenshot of it at each size. `open` reveals anything that is initially hidden. */
async function take(
  page: Page,
  name: string,
  path: string,
  open: () => Promise<void> = async () => {},
): Promise<void> {
  if (!isTaken(name)) return;
  await page.goto(new URL(path, page.url()).href);
  await page.locator("h1").first().waitFor();
  await open();
  for (const { width, height, scale } of SIZES) {
    await page.setViewportSize({ width, height });
    await page.locator("h1").first().waitFor();
    await page.waitForTimeout(1500);
    const session = await page.context().newCDPSession(page);
    const { data } = await session.send("Page.captureScreenshot", {
      format: "webp",
      quality: 70,
      clip: { x: 0, y: 0, width, height, scale },
    });
    await session.detach();
    await writeFile(join(FOLDER, `${name}-${width}.webp`), Buffer.from(data, "base64"));
  }
}
