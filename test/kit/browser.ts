/** Debian's Chromium, used by the browser tests (`npm run test:more`, `npm run test:pages`). */

import type { TestContext } from "node:test";
import { chromium, type Browser } from "playwright-core";
import { CHROMIUM, hasChromium } from "./chromium.ts";
import { allFiles, atEnd } from "./started.ts";

/** These arguments prevent the browser from contacting its vendor's hosts. */
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
 * Starts the browser that all test files of this process share. If Chromium is missing, the test is skipped and
 * this returns undefined. In CI, the test fails instead.
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
  atEnd(allFiles, () => browser.close());
  return browser;
}
