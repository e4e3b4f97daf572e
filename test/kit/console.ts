/** The pages as people open them: the real service with its database, in a real browser. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import type { TestContext } from "node:test";
import type { BrowserContext, Page } from "playwright-core";
import { ok } from "../api/samples.ts";
import { follow, ownerOf, tokenIn, type Page as SignedIn } from "../people/people-kit.ts";
import { startApi, type Api, type ApiOptions, type Client } from "./api.ts";
import { startBrowser } from "./browser.ts";

/** Without what moves: it costs the machine more than it tells. */
const WINDOW = { viewport: { width: 1440, height: 900 }, reducedMotion: "reduce" } as const;

export type Role = "owner" | "admin" | "reviewer" | "agent" | "viewer";

export interface ConsoleTest {
  readonly api: Api;
  /** A client of the tenant whose people open the pages. */
  readonly client: Client;
  /** A window of somebody with a role, at an address of the console. */
  readonly open: (role: Role, path?: string) => Promise<Page>;
  /** Another window of the user of a signed-in page, at an address of the console. */
  readonly openAs: (signedIn: SignedIn, path?: string) => Promise<Page>;
  /** A window of a partner with a token, at an address of the portal. */
  readonly openPartner: (token: string, path?: string) => Promise<Page>;
  /** A window of nobody. */
  readonly openAsNobody: (path: string) => Promise<Page>;
}

export interface ConsoleOptions extends Omit<ApiOptions, "hasPages"> {
  /** No owner has set a password yet. */
  readonly isNew?: true;
}

/** Starts the service with its pages and a browser; undefined, with the test skipped, without one. */
export async function startConsole(
  t: TestContext,
  { isNew, ...options }: ConsoleOptions = {},
): Promise<ConsoleTest | undefined> {
  const browser = await startBrowser(t);
  if (browser === undefined) return undefined;
  const api = await startApi(t, { ...options, hasPages: true });
  const client = await api.tenant();
  const openIn = async (context: BrowserContext, path: string): Promise<Page> => {
    const page = await context.newPage();
    // Nothing that the policy of the pages refuses, and no failure that nobody sees.
    const faults: string[] = [];
    page.on("pageerror", (error) => faults.push(error.message));
    page.on("console", (message) => {
      if (/Content.Security.Policy/i.test(message.text())) faults.push(message.text());
    });
    t.after(async () => {
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
    const [name, value] = [cookie.slice(0, at), cookie.slice(at + 1)];
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

const AXE = readFileSync(new URL(import.meta.resolve("axe-core/axe.min.js")), "utf8");

/**
 * What axe-core finds wrong with a page as it is (WCAG 2.2 A and AA, good practice), in one line each; by all
 * of its rules, or by those of colour alone.
 */
export async function axeFindings(page: Page, isColourAlone: boolean): Promise<readonly string[]> {
  await page.evaluate(`window.axe ?? (() => { ${AXE} })()`);
  const rules = isColourAlone ? "runOnly: ['color-contrast', 'link-in-text-block']," : "";
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

/** When what moves once has arrived: colours that are on their way have no contrast of their own. */
const SETTLED = `Promise.allSettled(document.getAnimations()
  .filter(({ effect }) => effect.getTiming().iterations !== Infinity)
  .map(({ finished }) => finished))`;

/** Finds nothing wrong with a page in light, nor, of what colours can change, in dark. */
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
