/** The page at /docs, in a real browser. */

import assert from "node:assert/strict";
import test from "node:test";
import { startApi } from "../kit/api.ts";
import { startBrowser } from "../kit/browser.ts";

test("/docs shows every operation and asks no other host for anything", async (t) => {
  const browser = await startBrowser(t);
  if (browser === undefined) return;
  const api = await startApi(t);
  const page = await browser.newPage();
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(error.message));
  await page.goto(`${api.url}/docs`);
  await page.getByText("List leads").first().waitFor({ timeout: 60_000 });
  await page.waitForTimeout(1000);
  const foreign = asked.filter((url) => !url.startsWith(api.url) && !url.startsWith("data:"));
  assert.deepEqual(foreign, []);
  assert.deepEqual(errors, []);
  assert.ok(asked.some((url) => url.endsWith("/openapi.json")));
});
