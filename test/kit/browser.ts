/** Debian's Chromium for the browser tests (`npm run test:more`, `npm run test:pages`). */

import { after, type TestContext } from "node:test";
import { chromium, type Browser } from "playwright-core";
import { CHROMIUM, hasChromium } from "./chromium.ts";

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
after(async () => (await started)?.close());

/**
 * The browser of the test file, closed when the file ends. Without Chromium the test is skipped and
 * this returns undefined; in CI the test fails.
 */
export async function startBrowser(t: TestContext): Promise<Browser | undefined> {
  if (!hasChromium()) {
    t.skip(`${CHROMIUM} does not exist`);
    return undefined;
  }
  started ??= chromium.launch({ executablePath: CHROMIUM, args: ARGS });
  return started;
}
