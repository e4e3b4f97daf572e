/** The size of the first page load and the hosts it contacts. */

import assert from "node:assert/strict";
import test from "node:test";
import { startConsole } from "../../kit/console.ts";

const FIRST_LOAD_MAX_bytes = 300 * 1000;
/** Half of the layout shift that Web Vitals still rates as good. */
const LAYOUT_SHIFT_MAX = 0.05;

interface Loaded {
  readonly hosts: readonly string[];
  readonly shift: number;
}

const BYTES = `[
  ...performance.getEntriesByType("navigation"),
  ...performance.getEntriesByType("resource"),
].filter(({ name }) => !/\\/(crm|auth)\\//.test(name))
  .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)`;

const LOADED = `new Promise((resolve) => {
  let shift = 0;
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) shift += value;
  }).observe({ type: "layout-shift", buffered: true });
  setTimeout(() => resolve({
    hosts: [...new Set(performance.getEntriesByType("resource").map(({ name }) => new URL(name).host))],
    shift,
  }), 500);
})`;

for (const path of ["/", "/leads", "/sign-in"]) {
  test(`the first load of ${path} is small, asks no other host, and does not jump`, async (t) => {
    const pages = await startConsole(t, { isAlone: true });
    if (pages === undefined) return;
    const page = await (path === "/sign-in" ? pages.openAsNobody(path) : pages.open("owner", path));
    await page.getByRole("heading", { level: 1 }).waitFor();
    // Measure this before later downloads start. For example, the page loads the chart library only after the page is
    // usable.
    const bytes = await page.evaluate<number>(BYTES);
    await page.waitForLoadState("networkidle");
    const { hosts, shift } = await page.evaluate<Loaded>(LOADED);
    t.diagnostic(`${Math.round(bytes / 1000)} kB, shift ${shift}`);
    assert.ok(bytes > 50_000 && bytes < FIRST_LOAD_MAX_bytes, `${bytes} bytes`);
    assert.deepEqual(hosts, [new URL(pages.api.url).host]);
    assert.ok(shift <= LAYOUT_SHIFT_MAX, `layout shift of ${shift}`);
  });
}
