/** Without Chromium, browser tests fail in CI and are skipped with a message locally. */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";

const CODE = `
  const { hasChromium, MISSING } = await import(process.argv[1]);
  try {
    console.log(hasChromium(), MISSING);
  } catch (error) {
    console.log("fails:", error.message);
  }`;

const printed = (CI: string) =>
  new Promise<string>((resolve) => {
    const env = { ...process.env, CI, CHROMIUM: "/no/such/chromium" };
    const args = [
      "--input-type=module",
      "-e",
      CODE,
      join(import.meta.dirname, "../kit/chromium.ts"),
    ];
    execFile(process.execPath, args, { env }, (_error, out, err) => resolve(out + err));
  });

test("a missing Chromium fails the browser tests in CI", async () => {
  assert.match(await printed("true"), /^fails: .*\/no\/such\/chromium does not exist.*apt-get/);
});

test("a missing Chromium is reported elsewhere, with how to install it", async () => {
  assert.match(await printed(""), /^false .*\/no\/such\/chromium does not exist.*apt-get/);
});
