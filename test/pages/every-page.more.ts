/** What holds of every page: axe-core finds nothing, nothing is cut off on a narrow screen, and roles. */

import assert from "node:assert/strict";
import test from "node:test";
import type { Page } from "playwright-core";
import { busyBusiness } from "../kit/busy-business.ts";
import { assertAccessible, startConsole, type Role } from "../kit/console.ts";
import { eventually } from "../kit/eventually.ts";

/** How far a page is wider than its window, once it has taken its width. */
const OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth";

async function checkPage(page: Page, path: string): Promise<void> {
  await page.goto(new URL(path, page.url()).href);
  await page.locator("h1").first().waitFor();
  await page.waitForLoadState("networkidle");
  await assertAccessible(page);
  await page.setViewportSize({ width: 360, height: 800 });
  await eventually(
    async () => ({ path, beyond_px: await page.evaluate<number>(OVERFLOW) }),
    ({ beyond_px }) => beyond_px === 0,
  );
  await page.setViewportSize({ width: 1440, height: 900 });
}

test("axe-core finds nothing on any page of the console, and none is wider than its window", async (t) => {
  const pages = await startConsole(t);
  if (pages === undefined) return;
  const business = await busyBusiness(pages);
  const owner = await pages.open("owner");
  for (const path of Object.values(business.console)) await checkPage(owner, path);
  const partner = await pages.openPartner(business.partner.token);
  for (const path of Object.values(business.portal)) await checkPage(partner, path);
});

const MENU: Readonly<Record<Role, readonly string[]>> = {
  owner: ["Leads", "Review", "Partners", "People", "Audit"],
  admin: ["Leads", "Review", "Partners", "People", "Audit"],
  reviewer: ["Leads", "Review"],
  agent: ["Leads"],
  viewer: ["Leads"],
};

test("each role is shown what it may open, and nothing else opens", async (t) => {
  const pages = await startConsole(t);
  if (pages === undefined) return;
  const closed = [
    "/review",
    "/partners",
    "/settings/people",
    "/settings/audit",
    "/settings/tenant",
  ];
  const open: Readonly<Record<Role, number>> = {
    owner: 5,
    admin: 5,
    reviewer: 1,
    agent: 0,
    viewer: 0,
  };
  for (const role of Object.keys(MENU) as Role[]) {
    const page = await pages.open(role);
    const menu = page.getByRole("navigation", { name: "Main menu" });
    await menu.getByRole("link", { name: "Leads", exact: true }).waitFor();
    for (const entry of MENU.owner) {
      const count = await menu.getByRole("link", { name: entry, exact: true }).count();
      assert.equal(count, MENU[role].includes(entry) ? 1 : 0, `${entry} for ${role}`);
    }
    for (const [at, path] of closed.entries()) {
      await page.goto(pages.api.url + path);
      await page.locator("h1").first().waitFor();
      const refused = await page.getByRole("heading", { name: "You may not see this" }).count();
      assert.equal(refused, at < open[role] ? 0 : 1, `${path} for ${role}`);
    }
    await page.goto(`${pages.api.url}/leads`);
    await page.getByRole("heading", { name: "Leads", level: 1 }).waitFor();
    const mayCreate = await page.getByRole("link", { name: /new lead/i }).count();
    assert.equal(mayCreate > 0, !["reviewer", "viewer"].includes(role), `a new lead for ${role}`);
  }
});
