/** Where Chromium is installed, and what to do if it is missing. */

import { existsSync } from "node:fs";

/** The shell without a user interface starts faster and uses less processor time, so it is preferred. */
const SHELL = "/usr/bin/chromium-headless-shell";
const DEBIAN = [SHELL, "/usr/bin/chromium"];

export const CHROMIUM = process.env["CHROMIUM"] ?? DEBIAN.find((path) => existsSync(path)) ?? SHELL;

/** Whether browser tests can run. In CI, throws if they cannot, because a skipped test counts as a failure there. */
export function hasChromium(): boolean {
  const isThere = existsSync(CHROMIUM);
  if (!isThere && process.env["CI"] === "true") throw new Error(MISSING);
  return isThere;
}

export const MISSING =
  `The browser tests need Chromium, and ${CHROMIUM} does not exist. ` +
  "Install it (Debian: apt-get install chromium-headless-shell), or set CHROMIUM to its path.";
