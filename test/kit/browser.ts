/**
 * Debian's Chromium, used by the browser tests (`npm run test:more`, `npm run test:pages`), and its windows, which the
 * tests of a process use one after another. Opening a page in a new window takes three times the processor time, because
 * a process starts for it and compiles all code of the pages.
 */

import type { TestContext } from "node:test";
import { chromium, type Browser, type Page } from "playwright-core";
import { CHROMIUM, hasChromium } from "./chromium.ts";
import { WITHIN_ms } from "./eventually.ts";
import { allFiles, atEnd } from "./started.ts";

/** These arguments prevent the browser from contacting its vendor's hosts, and from optimizing code that runs once. */
const ARGS = [
  "--js-flags=--no-opt --no-maglev",
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

const VIEWPORT = { width: 1440, height: 900 };
/** Turns off animations, which slow the machine down and are not tested. */
const MEDIA = { colorScheme: "light", reducedMotion: "reduce" } as const;

/** The events of a page that tests listen to. The browser's driver itself listens to others. */
const LISTENED_TO = ["pageerror", "console", "request", "response", "requestfailed", "dialog"];

/** Windows that no test uses at the moment. */
const idle: Page[] = [];

/** Windows that a test has changed in a way that cannot be undone. */
const changed = new WeakSet<Page>();

/** Returns a window without cookies. Give it back with `closeWindow`. */
export async function openWindow(browser: Browser): Promise<Page> {
  const used = idle.pop();
  if (used !== undefined) return used;
  const context = await browser.newContext({ viewport: VIEWPORT, ...MEDIA });
  context.setDefaultTimeout(WITHIN_ms);
  const page = await context.newPage();
  watchChanges(page);
  return page;
}

/** Notes when a test adds scripts to later pages, changes their clock, or uses the browser's own protocol. */
function watchChanges(page: Page): void {
  const context = page.context();
  for (const [target, name] of [
    [page, "addInitScript"],
    [context, "newCDPSession"],
    [context, "grantPermissions"],
  ] as const) {
    const method = Reflect.get(target, name) as (...given: unknown[]) => unknown;
    Reflect.set(target, name, (...given: unknown[]) => {
      changed.add(page);
      return method.apply(target, given);
    });
  }
  const { clock } = page;
  Object.defineProperty(page, "clock", {
    get: () => {
      changed.add(page);
      return clock;
    },
  });
}

/** Empties a window for the next test, or closes it if that is not possible. `url` is that of the service it shows. */
export async function closeWindow(page: Page, url: string): Promise<void> {
  const context = page.context();
  if (page.isClosed() || context.pages().length > 1 || changed.has(page)) return context.close();
  for (const event of LISTENED_TO) page.removeAllListeners(event);
  for (const target of [page, context]) await target.unrouteAll({ behavior: "ignoreErrors" });
  await context.setOffline(false);
  await context.setExtraHTTPHeaders({});
  // A page of the same service without a script. The browser would start another process for an empty page.
  await page.goto(`${url}/healthz`);
  await page.evaluate("localStorage.clear(); sessionStorage.clear();");
  await context.clearCookies();
  await page.setViewportSize(VIEWPORT);
  await page.emulateMedia({ ...MEDIA, media: null, forcedColors: null, contrast: null });
  await page.mouse.move(0, 0);
  idle.push(page);
}
