/** Helpers for browser tests of the pages, with the real service, its database and a real browser. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import type { TestContext } from "node:test";
import type { Page } from "playwright-core";
import { ok } from "../api/samples.ts";
import { follow, ownerOf, tokenIn, type Page as SignedIn } from "../people/people-kit.ts";
import { startApi, type Api, type ApiOptions, type Client } from "./api.ts";
import { closeWindow, openWindow, startBrowser } from "./browser.ts";
import { isLong } from "./long.ts";
import { allFiles, atEnd } from "./started.ts";

export type Role = "owner" | "admin" | "reviewer" | "agent" | "viewer";

export interface ConsoleTest {
  readonly api: Api;
  /** A client of the tenant whose users open the pages. */
  readonly client: Client;
  /** Opens a console path in a new window, signed in as a user with this role. */
  readonly open: (role: Role, path?: string) => Promise<Page>;
  /** Opens a console path in another window of an already signed-in user. */
  readonly openAs: (signedIn: SignedIn, path?: string) => Promise<Page>;
  /** Opens a portal path in a new window, signed in as the partner with this token. */
  readonly openPartner: (token: string, path?: string) => Promise<Page>;
  /** Opens a path in a new window without a signed-in user. */
  readonly openAsNobody: (path: string) => Promise<Page>;
}

export interface ConsoleOptions extends Omit<ApiOptions, "hasPages"> {
  /** Simulates a new installation, whose owner has not set a password yet. */
  readonly isNew?: true;
  /**
   * Starts a separate service. Needed by tests that sign in, because other tenants have owners with the same email
   * address, that change more than their own tenant, or that need a browser without cached pages.
   */
  readonly isAlone?: true;
}

let shared: Promise<Api> | undefined;

/** Returns the service that the browser tests of this process share, unless they need a separate one. */
export const sharedPages = (): Promise<Api> => (shared ??= startApi(allFiles, { hasPages: true }));

/** Prints what a page of a failed test shows. */
async function printShown(t: TestContext, page: Page): Promise<void> {
  if (("passed" in t && t.passed) || page.isClosed()) return;
  const text = await page.locator("body").innerText({ timeout: 5000 }).catch(String);
  t.diagnostic(`${page.url()} shows: ${text.replaceAll(/\s+/g, " ").slice(-1500)}`);
}

/**
 * Starts a new tenant whose pages are opened in a browser. Without options, its service is the one that the tests of
 * this process share. If no browser is available, the test is skipped and this returns undefined.
 */
export async function startConsole(
  t: TestContext,
  { isNew, isAlone = isNew, ...options }: ConsoleOptions = {},
): Promise<ConsoleTest | undefined> {
  const browser = await startBrowser(t);
  if (browser === undefined) return undefined;
  const isShared = isAlone !== true && Object.keys(options).length === 0;
  const api = await (isShared ? sharedPages() : startApi(t, { ...options, hasPages: true }));
  const client = await api.tenant();
  const openIn = async (page: Page, path: string): Promise<Page> => {
    // Fail the test on uncaught errors and on anything blocked by the content security policy.
    const faults: string[] = [];
    page.on("pageerror", (error) => faults.push(error.message));
    page.on("console", (message) => {
      if (/Content.Security.Policy/i.test(message.text())) faults.push(message.text());
    });
    atEnd(t, async () => {
      await printShown(t, page);
      await closeWindow(page, api.url);
      assert.deepEqual(faults, []);
    });
    await page.goto(api.url + path);
    return page;
  };
  const signedIn: Partial<Record<Role, Promise<SignedIn>>> = {};
  const owner = () => (signedIn.owner ??= ownerOf(api, client, "ada@example.com"));
  if (isNew !== true) await owner();
  const signIn = async (role: Role): Promise<SignedIn> => {
    if (role === "owner") return owner();
    const person = { name: `Pat ${role}`, email: `${role}@example.com`, role };
    const { link } = ok(await (await owner()).post("/crm/admin/people", person)).body;
    return follow(client, tokenIn(link as string));
  };
  const openWith = async (name: string, value: string, path: string): Promise<Page> => {
    const page = await openWindow(browser);
    const cookie = { name, value, url: api.url, sameSite: "Strict", httpOnly: true } as const;
    await page.context().addCookies([cookie]);
    return openIn(page, path);
  };
  const openAs = async ({ cookie = "" }: SignedIn, path = "/"): Promise<Page> => {
    const at = cookie.indexOf("=");
    return openWith(cookie.slice(0, at), cookie.slice(at + 1), path);
  };
  return {
    api,
    client,
    open: async (role, path) => openAs(await (signedIn[role] ??= signIn(role)), path),
    openAs,
    openPartner: (token, path = "/partner") => openWith("leadport_partner", token, path),
    openAsNobody: async (path) => openIn(await openWindow(browser), path),
  };
}

/** Holds back the page's requests to a URL until the returned function is called. */
export async function holdRequests(page: Page, url: string | RegExp): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(url, async (route) => {
    await promise;
    await route.continue();
  });
  return resolve;
}

const AXE = readFileSync(new URL(import.meta.resolve("axe-core/axe.min.js")), "utf8");

/**
 * Runs axe-core on a page in its current state (WCAG 2.2 A and AA, best practices). Returns one line for each
 * violation. `isColorAlone` limits the check to the color rules.
 */
export async function axeFindings(page: Page, isColorAlone: boolean): Promise<readonly string[]> {
  await page.evaluate(`window.axe ?? (() => { ${AXE} })()`);
  const rules = isColorAlone ? "runOnly: ['color-contrast', 'link-in-text-block']," : "";
  const found = await page.evaluate(`axe.run(document, { ${rules} resultTypes: ['violations'] })`);
  const { violations } = found as {
    readonly violations: readonly {
      readonly id: string;
      readonly help: string;
      readonly nodes: readonly { readonly target: readonly string[] }[];
    }[];
  };
  return violations.map(
    ({ id, help, nodes }) =>
      `${id}: ${help}: ${nodes.map(({ target }) => target.join(" ")).join(", ")}`,
  );
}

/** Waits until all finite animations have ended, because colors have a different contrast during a transition. */
const SETTLED = `Promise.allSettled(document.getAnimations()
  .filter(({ effect }) => effect.getTiming().iterations !== Infinity)
  .map(({ finished }) => finished))`;

/** Asserts that a page has no accessibility issues in light mode. In `npm run test:long`, also checks dark mode. */
export async function assertAccessible(page: Page): Promise<void> {
  await page.locator("h1").first().waitFor();
  await page.evaluate(SETTLED);
  assert.deepEqual(await axeFindings(page, false), [], page.url());
  if (isLong) await assertDarkAccessible(page);
}

/** Asserts that a page has no color issues in dark mode. */
export async function assertDarkAccessible(page: Page): Promise<void> {
  const inScheme = async (colorScheme: "light" | "dark"): Promise<void> => {
    await page.emulateMedia({ colorScheme });
    const shown = `html[data-mantine-color-scheme="${colorScheme}"]`;
    await page.locator(shown).waitFor({ state: "attached" });
    await page.evaluate(SETTLED);
  };
  await inScheme("dark");
  assert.deepEqual(await axeFindings(page, true), [], `${page.url()} in dark mode`);
  await inScheme("light");
}
