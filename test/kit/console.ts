/** Helpers for browser tests of the pages, with the real service, its database and a real browser. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import type { TestContext } from "node:test";
import type { BrowserContext, Page } from "playwright-core";
import { ok } from "../api/samples.ts";
import { follow, ownerOf, tokenIn, type Page as SignedIn } from "../people/people-kit.ts";
import { startApi, type Api, type ApiOptions, type Client } from "./api.ts";
import { startBrowser } from "./browser.ts";
import { WITHIN_ms } from "./eventually.ts";
import { atEnd } from "./started.ts";

/** Turns off animations, which slow the machine down and are not tested. */
const WINDOW = { viewport: { width: 1440, height: 900 }, reducedMotion: "reduce" } as const;

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
}

/** Prints what a page of a failed test shows. */
async function printShown(t: TestContext, page: Page): Promise<void> {
  if (("passed" in t && t.passed) || page.isClosed()) return;
  const text = await page.locator("body").innerText({ timeout: 5000 }).catch(String);
  t.diagnostic(`${page.url()} shows: ${text.replaceAll(/\s+/g, " ").slice(-1500)}`);
}

/**
 * Starts the service with its pages, and a browser. If no browser is available, the test is skipped and this returns
 * undefined.
 */
export async function startConsole(
  t: TestContext,
  { isNew, ...options }: ConsoleOptions = {},
): Promise<ConsoleTest | undefined> {
  const browser = await startBrowser(t);
  if (browser === undefined) return undefined;
  const api = await startApi(t, { ...options, hasPages: true });
  const client = await api.tenant();
  const openIn = async (context: BrowserContext, path: string): Promise<Page> => {
    context.setDefaultTimeout(WITHIN_ms);
    const page = await context.newPage();
    // Fail the test on uncaught errors and on anything blocked by the content security policy.
    const faults: string[] = [];
    page.on("pageerror", (error) => faults.push(error.message));
    page.on("console", (message) => {
      if (/Content.Security.Policy/i.test(message.text())) faults.push(message.text());
    });
    atEnd(t, async () => {
      await printShown(t, page);
      await context.close();
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
  const openAs = async ({ cookie = "" }: SignedIn, path = "/"): Promise<Page> => {
    const context = await browser.newContext(WINDOW);
    const at = cookie.indexOf("=");
    const name = cookie.slice(0, at);
    const value = cookie.slice(at + 1);
    await context.addCookies([{ name, value, url: api.url, sameSite: "Strict", httpOnly: true }]);
    return openIn(context, path);
  };
  return {
    api,
    client,
    open: async (role, path) => openAs(await (signedIn[role] ??= signIn(role)), path),
    openAs,
    openPartner: async (token, path = "/partner") => {
      const context = await browser.newContext(WINDOW);
      const cookie = { name: "leadport_partner", value: token, url: api.url } as const;
      await context.addCookies([{ ...cookie, sameSite: "Strict", httpOnly: true }]);
      return openIn(context, path);
    },
    openAsNobody: async (path) => openIn(await browser.newContext(WINDOW), path),
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

/** Asserts that a page has no accessibility issues in light mode and no color issues in dark mode. */
export async function assertAccessible(page: Page): Promise<void> {
  await page.locator("h1").first().waitFor();
  for (const scheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" });
    await page
      .locator(`html[data-mantine-color-scheme="${scheme}"]`)
      .waitFor({ state: "attached" });
    await page.evaluate(SETTLED);
    assert.deepEqual(await axeFindings(page, scheme === "dark"), [], `${page.url()} in ${scheme}`);
  }
  await page.emulateMedia({ colorScheme: "light" });
}
