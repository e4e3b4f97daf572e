/**
 * Moves the clock of a page. The page's API client counts the time limit of a request on this clock, so it moves only
 * while no request is in progress. Otherwise, a slow machine would abort requests that the test needs.
 */

import type { Page } from "playwright-core";
import { eventually } from "./eventually.ts";

/** Counts a request until its whole response has arrived. */
const COUNT_REQUESTS = `{
  const send = window.fetch;
  const read = (response) => response.clone().arrayBuffer();
  window.requestsInProgress = 0;
  window.fetch = (...given) => {
    const sent = send(...given);
    window.requestsInProgress += 1;
    sent.then(read).catch(() => {}).finally(() => (window.requestsInProgress -= 1));
    return sent;
  };
}`;
/** Playwright stops a clock only at a later time. On a slow machine, the clock still runs for a while until then. */
const PAUSE_AFTER_ms = 60_000;

/** Lets a test move a page's clock, from the next time that the page is loaded. */
export async function installClock(page: Page): Promise<void> {
  await page.addInitScript(COUNT_REQUESTS);
  await page.clock.install();
}

/** Moves a page's clock forward. Each timer that is due in this time fires at most once. */
export async function forward(page: Page, by_ms: number): Promise<void> {
  await untilQuiet(page);
  await page.clock.fastForward(by_ms);
}

/** Moves a page's clock a minute forward and stops it there, so that from then on only the test moves it. */
export async function pauseClock(page: Page): Promise<void> {
  await untilQuiet(page);
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + PAUSE_AFTER_ms);
}

/** Waits until no request is in progress. */
const untilQuiet = (page: Page): Promise<unknown> =>
  eventually(
    () => page.evaluate("window.requestsInProgress"),
    (count) => count === 0,
  );
