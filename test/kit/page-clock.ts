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
/** Further than the page's timers reach, so that none of them is left. */
const PAUSE_AFTER_ms = 60_000;

/** Lets a test move a page's clock, from the next time that the page is loaded. */
export async function installClock(page: Page): Promise<void> {
  await page.addInitScript(COUNT_REQUESTS);
  await page.clock.install();
}

/** Moves a page's clock forward. Each timer that ends in this time runs once. */
export async function forward(page: Page, by_ms: number): Promise<void> {
  await untilQuiet(page);
  await page.clock.fastForward(by_ms);
}

/** Stops a page's clock, so that only the test moves it. */
export async function pauseClock(page: Page): Promise<void> {
  await untilQuiet(page);
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + PAUSE_AFTER_ms);
}

const untilQuiet = (page: Page): Promise<unknown> =>
  eventually(
    () => page.evaluate("window.requestsInProgress"),
    (count) => count === 0,
  );
