/** Debian's Chromium for tests of pages. Where it is missing, those tests say so loudly and are skipped. */

import { existsSync } from "node:fs";
import { after, type TestContext } from "node:test";
import { chromium, type Browser } from "playwright-core";

const EXECUTABLE = process.env["CHROMIUM"] ?? "/usr/bin/chromium";

/** Keeps the browser from asking its maker's hosts for anything. */
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

/** The browser of the test file, which is closed when the file ends; undefined, with the test skipped, without. */
export async function startBrowser(t: TestContext): Promise<Browser | undefined> {
  if (!existsSync(EXECUTABLE)) {
    console.error(
      `\nNO BROWSER TESTS: ${EXECUTABLE} is missing (Debian: apt-get install chromium)\n`,
    );
    t.skip(`${EXECUTABLE} is missing`);
    return undefined;
  }
  started ??= chromium.launch({ executablePath: EXECUTABLE, args: ARGS });
  return started;
}
