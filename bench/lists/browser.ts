/**
 * How smoothly the table of leads scrolls in a browser: frames per second, processor time and memory.
 */

import { chromium, type Browser, type CDPSession, type Page } from "playwright-core";
import { permissionsOf } from "../../src/people/roles.ts";
import { headText, rowText } from "../compare/results.ts";
import { filled } from "../loads/fill.ts";
import { FILLED_OPTIONS, numberOf, placeOf, type Benchmark } from "../options.ts";
import { machineOf } from "../service/machine.ts";
import { startService, type Service } from "../service/service.ts";

const FRAMES_BAR = 50;
/** The maximum growth of the heap after scrolling through a list. */
const HEAP_BAR_MB = 16;
const DRAWN_MAX = 60;
const ROW_HEIGHT_px = 40;
/**
 * The scroll speed of a user who is looking for something. A second speed is calculated so that the whole list scrolls
 * past in the given time.
 */
const LOOKING_px_s = 4000;

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
const scroll = (page: Page, px_s: number, seconds: number): Promise<number[]> =>
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

/** Scrolls at a speed, and prints a row of the table. Returns whether all targets are met. */
async function measureScrolling(
  page: Page,
  name: string,
  px_s: number,
  seconds: number,
): Promise<boolean> {
  const devTools = await page.context().newCDPSession(page);
  await devTools.send("Performance.enable", { timeDomain: "threadTicks" });
  const before_MB = await heap_MB(devTools);
  const begun_ms = await processor_ms(devTools);
  const took_ms = await scroll(page, px_s, seconds);
  const frame_ms = ((await processor_ms(devTools)) - begun_ms) / took_ms.length;
  const after_MB = await heap_MB(devTools);
  const rate = (1000 * took_ms.length) / took_ms.reduce((sum, ms) => sum + ms, 0);
  const drawn = await page.locator("[role=row]").count();
  const figures: readonly (readonly [text: string, isMet: boolean])[] = [
    [rate.toFixed(1), rate > FRAMES_BAR],
    [frame_ms.toFixed(1), frame_ms < 1000 / FRAMES_BAR],
    [String(drawn), drawn < DRAWN_MAX],
    [`${before_MB.toFixed(1)} → ${after_MB.toFixed(1)}`, after_MB - before_MB < HEAP_BAR_MB],
  ];
  const cells = figures.map(([text, isMet]) => `${text}${isMet ? "" : " **missed**"}`);
  const speed = Math.round(px_s / ROW_HEIGHT_px).toLocaleString("en");
  console.log(rowText([`${name}, ${speed} rows/s`, ...cells]));
  return figures.every(([, isMet]) => isMet);
}

const HEAD = headText(
  "scrolling",
  `frames/s (> ${FRAMES_BAR})`,
  `CPU time per frame, ms (< ${1000 / FRAMES_BAR})`,
  `rows rendered (< ${DRAWN_MAX})`,
  `heap before → after, MB (growth < ${HEAP_BAR_MB})`,
);

export const browser: Benchmark = {
  does: "Frame rate, CPU time and memory of the table of leads in a browser",
  options: {
    ...FILLED_OPTIONS,
    rows: { ...FILLED_OPTIONS.rows, fallback: "100000" },
    seconds: { value: "<number>", fallback: "20", doc: "How long each scroll takes." },
    chromium: { value: "<file>", fallback: "/usr/bin/chromium", doc: "The browser." },
  },
  run: async (values) => {
    const { rows, dataDir } = placeOf(values);
    const seconds = numberOf(values, "seconds");
    await filled(dataDir, rows);
    const service = await startService(dataDir);
    const args = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"];
    const chrome = await chromium.launch({ executablePath: values["chromium"] ?? "", args });
    try {
      const page = await openLeads(service, chrome);
      console.log(`${await machineOf(service)}.\n\n${HEAD}`);
      const whole_px_s = Math.ceil((rows * ROW_HEIGHT_px) / seconds);
      // The first pass loads and caches the pages of the list. After that, memory should not grow.
      const met = [
        await measureScrolling(page, "searching", LOOKING_px_s, seconds),
        await measureScrolling(page, "whole list", whole_px_s, seconds),
        await measureScrolling(page, "whole list, second pass", whole_px_s, seconds),
      ];
      return met.every(Boolean);
    } finally {
      await chrome.close();
      await service.stop();
    }
  },
};
