/** The location of Chromium, and instructions if it is missing. */

import { existsSync } from "node:fs";

export const CHROMIUM = process.env["CHROMIUM"] ?? "/usr/bin/chromium";

/** Whether the browser tests can run. Throws in CI if they cannot, because there a skipped test is a failure. */
export function hasChromium(): boolean {
  const isThere = existsSync(CHROMIUM);
  if (!isThere && process.env["CI"] === "true") throw new Error(MISSING);
  return isThere;
}

export const MISSING =
  `The browser tests need Chromium, and ${CHROMIUM} does not exist. ` +
  "Install it (Debian: apt-get install chromium), or set CHROMIUM to its path.";
