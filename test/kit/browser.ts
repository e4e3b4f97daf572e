/** Debian's Chromium for the browser tests (`npm run test:more`, `npm run test:pages`). */

import type { TestContext } from "node:test";
import { chromium, type Browser } from "playwright-core";
import { CHROMIUM, hasChromium } from "./chromium.ts";
import { atEnd, file } from "./started.ts";

/** Keeps the browser from contacting its vendor's hosts. */
const ARGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

let started: Promise<Browser> | undefined;

/**
 * Returns the browser of the test file, which is closed when the file ends. Without Chromium, the
 * test is skipped and this returns undefined; in CI, the test fails.
 */
export async function startBrowser(t: TestContext): Promise<Browser | undefined> {
  if (!hasChromium()) {
    t.skip(`${CHROMIUM} does not exist`);
    return undefined;
  }
  started ??= launch();
  return started;
}

async function launch(): Promise<Browser> {
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ARGS });
  atEnd(file, () => browser.close());
  return browser;
}
