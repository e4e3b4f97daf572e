/** The pages as people open them: the real service with its database, in a real browser. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "node:test";
import type { BrowserContext, Page } from "playwright-core";
import { startApi, type Api, type ApiOptions, type Client } from "./api.ts";
import { startBrowser } from "./browser.ts";

const DESKTOP = { width: 1440, height: 900 };

const PERMISSIONS = {
  owner: ["admin", "ssn:read"],
  admin: ["admin"],
  reviewer: ["exchange:review", "records:read"],
  agent: ["records:write"],
  viewer: ["records:read"],
} as const;

export type Role = keyof typeof PERMISSIONS;

export interface ConsoleTest {
  readonly api: Api;
  /** A client of the tenant whose people open the pages. */
  readonly client: Client;
  /** A window of somebody with a role, at an address of the console. */
  readonly open: (role: Role, path?: string) => Promise<Page>;
  /** A window of a partner with a token, at an address of the portal. */
  readonly openPartner: (token: string, path?: string) => Promise<Page>;
  /** A window of nobody. */
  readonly openAsNobody: (path: string) => Promise<Page>;
}

/** Starts the service with its pages and a browser; undefined, with the test skipped, without one. */
export async function startConsole(
  t: TestContext,
  options: Omit<ApiOptions, "hasPages"> = {},
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
    t.after(() => assert.deepEqual(faults, []));
    await page.goto(api.url + path);
    return page;
  };
  return {
    api,
    client,
    open: async (role, path = "/") => {
      const held = await client.token(PERMISSIONS[role]);
      const context = await browser.newContext({
        viewport: DESKTOP,
        extraHTTPHeaders: { authorization: `Bearer ${held.bearer}` },
      });
      const session = {
        person: {
          ...{ id: client.personId, name: "Ada Admin", email: "ada@example.com", role },
          ...{ has_second_factor: false, recovery_codes_left: 0 },
        },
        tenant: {
          ...{ id: client.tenantId, name: "Harbour Ltd", currency: "USD", timezone: "UTC" },
          default_country: "US",
        },
        permissions: PERMISSIONS[role],
        session: { id: "1", created_ts: 0, expires_ts: 4e9 },
      };
      let preferences: unknown = {};
      await context.route("**/auth/session", (route) => route.fulfill({ json: session }));
      await context.route("**/auth/preferences", (route, request) => {
        if (request.method() === "PUT") preferences = request.postDataJSON() as unknown;
        return route.fulfill({ json: preferences });
      });
      return openIn(context, path);
    },
    openPartner: async (token, path = "/partner") => {
      const context = await browser.newContext({
        viewport: DESKTOP,
        extraHTTPHeaders: { authorization: `Partner ${token}` },
      });
      await context.route("**/auth/partner/*", (route) => {
        const expires_ts = Math.trunc(Date.now() / 1000) + 3600;
        return route.fulfill({ json: { partner_id: "1", name: "Referrals Ltd", expires_ts } });
      });
      return openIn(context, path);
    },
    openAsNobody: async (path) => {
      const context = await browser.newContext({ viewport: DESKTOP });
      await context.route("**/auth/session", (route) => route.fulfill({ status: 401, json: {} }));
      return openIn(context, path);
    },
  };
}

const AXE = readFileSync(
  join(import.meta.dirname, "../../node_modules/axe-core/axe.min.js"),
  "utf8",
);

/** What axe-core finds wrong with a page as it is (WCAG 2.2 A and AA, good practice), in one line each. */
export async function axeFindings(page: Page): Promise<readonly string[]> {
  await page.evaluate(AXE);
  const found = await page.evaluate("axe.run(document, { resultTypes: ['violations'] })");
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

/** The same in light and in dark. */
export async function assertAccessible(page: Page): Promise<void> {
  for (const scheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" });
    await page
      .locator(`html[data-mantine-color-scheme="${scheme}"]`)
      .waitFor({ state: "attached" });
    assert.deepEqual(await axeFindings(page), [], `${page.url()} in ${scheme}`);
  }
  await page.emulateMedia({ colorScheme: "light" });
}
