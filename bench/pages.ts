/**
 * Measures how smoothly the table of 100,000 leads scrolls in a browser: `node bench/pages.ts --help`. Measures frames
 * per second, memory before and after, and the time from an input to the next paint. Exits with 1 if a target is
 * missed.
 */

import { chromium, type Browser, type CDPSession, type Page } from "playwright-core";
import { permissionsOf } from "../src/people/roles.ts";
import { filled } from "./fill.ts";
import { machineOf } from "./machine.ts";
import { numberOf, readOptions } from "./options.ts";
import { quantile, startService, type Service } from "./service.ts";

const FRAMES_BAR = 50;
const PRESS_BAR_ms = 200;
/** The maximum growth of the heap after scrolling through a list. */
const HEAP_BAR_MB = 16;
const ROW_HEIGHT_px = 40;
/**
 * The scroll speed of a user who is looking for something. A second speed is calculated so that the whole list scrolls
 * past in the given time.
 */
const LOOKING_px_s = 4000;

const options = readOptions("bench:pages", "How the table of leads scrolls in a browser.", {
  rows: { value: "<number>", fallback: "100000", doc: "Leads of the one large tenant." },
  seconds: { value: "<number>", fallback: "20", doc: "How long each scroll takes." },
  chromium: { value: "<file>", fallback: "/usr/bin/chromium", doc: "The browser." },
});
const { dataDir, values } = options;
const rows = options.rows;
const seconds = numberOf(values, "seconds");

/** Opens the lead table as the owner of the filled tenant. Only the session and the preferences are simulated. */
async function openLeads({ url, token }: Service, browser: Browser): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    extraHTTPHeaders: { authorization: `Bearer ${token}` },
  });
  const session = {
    person: { id: "1", name: "Owner", email: "owner@example.com", role: "owner" },
    tenant: { id: "1", name: "Bench", currency: "USD", timezone: "UTC", default_country: "US" },
    permissions: permissionsOf("owner"),
    session: { id: "1", created_ts: 0, expires_ts: 4e9 },
  };
  await context.route("**/auth/session", (route) => route.fulfill({ json: session }));
  await context.route("**/auth/preferences", (route) => route.fulfill({ json: {} }));
  const page = await context.newPage();
  await page.goto(`${url}/leads`);
  await page.getByText(/^[\d,]+ leads$/).waitFor({ timeout: 60_000 });
  await page.locator("[role=row][data-index='0'] a").first().waitFor();
  return page;
}

async function heap_MB(devTools: CDPSession): Promise<number> {
  for (let turn = 0; turn < 2; turn += 1) await devTools.send("HeapProfiler.collectGarbage");
  const { usedSize } = await devTools.send("Runtime.getHeapUsage");
  return usedSize / 1024 ** 2;
}

/**
 * Returns the processor time, in ms, that the page's main thread has used so far. Other work on the machine is not
 * included.
 */
async function processor_ms(devTools: CDPSession): Promise<number> {
  const { metrics } = await devTools.send("Performance.getMetrics");
  return 1000 * (metrics.find(({ name }) => name === "TaskDuration")?.value ?? Number.NaN);
}

/**
 * Scrolls the rows down and back up at the given speed, assuming 60 frames per second. Returns how
 * long each frame took.
 */
const scroll = (page: Page, px_s: number): Promise<number[]> =>
  page.evaluate(`new Promise((resolve) => {
    const grid = document.querySelector("[role=grid]");
    const took = [];
    const start = performance.now();
    let [last, way] = [start, 1];
    const frame = (now) => {
      if (now > last) took.push(now - last);
      const end = grid.scrollHeight - grid.clientHeight;
      grid.scrollTop += (way * ${px_s}) / 60;
      if (grid.scrollTop >= end - 1) way = -1;
      else if (grid.scrollTop <= 0) way = 1;
      last = now;
      if (now - start < ${seconds * 1000}) requestAnimationFrame(frame);
      else resolve(took);
    };
    requestAnimationFrame(frame);
  })`);

interface Bar {
  readonly what: string;
  readonly value: string;
  readonly bar: string;
  readonly isMet: boolean;
}

const told: Bar[] = [];
const tell = (what: string, value: string, bar = "", isMet = true): void => {
  told.push({ what, value, bar, isMet });
};

async function measureScrolling(page: Page, name: string, px_s: number): Promise<void> {
  const devTools = await page.context().newCDPSession(page);
  await devTools.send("Performance.enable", { timeDomain: "threadTicks" });
  const before = await heap_MB(devTools);
  const begun_ms = await processor_ms(devTools);
  const took = await scroll(page, px_s);
  const busy_ms = (await processor_ms(devTools)) - begun_ms;
  const after = await heap_MB(devTools);
  const perSecond = (1000 * took.length) / took.reduce((sum, ms) => sum + ms, 0);
  const rowsPerSecond = Math.round(px_s / ROW_HEIGHT_px).toLocaleString("en");
  const title = `${name}, ${rowsPerSecond} rows/s`;
  tell(`${title}: frames/s`, perSecond.toFixed(1), `> ${FRAMES_BAR}`, perSecond > FRAMES_BAR);
  tell(`${title}: frame time (95th percentile), ms`, quantile(took, 0.95).toFixed(1));
  const frame_ms = busy_ms / took.length;
  const least_ms = 1000 / FRAMES_BAR;
  tell(
    `${title}: CPU time per frame, ms`,
    frame_ms.toFixed(1),
    `< ${least_ms}`,
    frame_ms < least_ms,
  );
  const drawn = await page.locator("[role=row]").count();
  tell(`${title}: rows rendered`, String(drawn), "< 60", drawn < 60);
  const grown = after - before;
  const change = `${before.toFixed(1)} → ${after.toFixed(1)}`;
  tell(`${title}: heap before → after, MB`, change, `growth < ${HEAP_BAR_MB}`, grown < HEAP_BAR_MB);
}

/** Measures the longest time from an input event caused by `act` to the next paint (Event Timing). */
async function measurePress(page: Page, name: string, act: () => Promise<void>): Promise<void> {
  await page.evaluate(`{
    window.presses = [];
    window.watching?.disconnect();
    window.watching = new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) if (entry.interactionId > 0) presses.push(entry.duration);
    });
    watching.observe({ type: "event", durationThreshold: 16 });
  }`);
  await act();
  await page.waitForTimeout(1000);
  const presses = await page.evaluate<number[]>("presses");
  const slowest_ms = Math.max(0, ...presses);
  const value = slowest_ms === 0 ? "< 16" : String(slowest_ms);
  tell(
    `${name}: time to the next paint, ms`,
    value,
    `< ${PRESS_BAR_ms}`,
    slowest_ms < PRESS_BAR_ms,
  );
}

async function measure(page: Page): Promise<void> {
  await measureScrolling(page, "searching", LOOKING_px_s);
  // The first pass loads and caches the pages of the list. After that, memory should not grow.
  for (const name of ["whole list", "whole list, second pass"]) {
    await measureScrolling(page, name, Math.ceil((rows * ROW_HEIGHT_px) / seconds));
  }
  const row = page.locator("[role=row][data-index]").nth(12);
  await measurePress(page, "selecting a row", () => row.locator("input").click());
  await measurePress(page, "clearing the selection", () =>
    page.getByRole("button", { name: "Clear selection" }).click(),
  );
  await measurePress(page, "opening the filter", () =>
    page.getByRole("button", { name: "Filter" }).click(),
  );
  await page.keyboard.press("Escape");
  await measurePress(page, "sorting by name", () =>
    page.getByRole("columnheader", { name: "Name" }).getByRole("button").click(),
  );
  await measurePress(page, "opening a row", () => row.locator("a").first().click());
}

await filled(dataDir, rows);
const service = await startService(dataDir);
const args = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"];
const browser = await chromium.launch({ executablePath: values["chromium"] ?? "", args });
try {
  const page = await openLeads(service, browser);
  console.log(`${await machineOf(service)}. ${rows.toLocaleString("en")} leads.\n`);
  await measure(page);
  console.log("| measurement | measured | target |\n|---|---:|---:|");
  for (const { what, value, bar, isMet } of told) {
    console.log(`| ${what} | ${value}${isMet ? "" : " **missed**"} | ${bar} |`);
  }
  process.exitCode = told.every(({ isMet }) => isMet) ? 0 : 1;
} finally {
  await browser.close();
  await service.stop();
}
