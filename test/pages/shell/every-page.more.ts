/** Checks every page for accessibility (axe-core), layout on narrow screens, and access by role. */

import assert from "node:assert/strict";
import test from "node:test";
import type { Page } from "playwright-core";
import { busyBusiness } from "../../kit/busy-business.ts";
import {
  assertAccessible,
  assertDarkAccessible,
  startConsole,
  type Role,
} from "../../kit/console.ts";
import { eventually } from "../../kit/eventually.ts";
import { casesOf, isLong } from "../../kit/long.ts";
import { ok } from "../../api/samples.ts";
import { partnerOf, REVIEW } from "../../exchange/exchange-kit.ts";

/** How many pixels wider a page is than its window. */
const OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth";

/** Elements that are cut off: they extend beyond the window and cannot be scrolled into view. */
const CUT_OFF = `[...document.querySelectorAll("#content *, main *")].filter((element) => {
  const { right, width, height } = element.getBoundingClientRect();
  if (width <= 1 || height <= 1 || right <= document.documentElement.clientWidth + 1) return false;
  for (let at = element; at !== null; at = at.parentElement) {
    const { overflowX, textOverflow, visibility } = getComputedStyle(at);
    const canScroll = overflowX === "auto" || overflowX === "scroll";
    if (canScroll || textOverflow === "ellipsis" || visibility === "hidden") return false;
  }
  return true;
}).map((element) => element.tagName + " " + (element.textContent ?? "").slice(0, 40))`;

/** Table cells whose content covers the next column. */
const OVER_NEXT = `[...document.querySelectorAll("td > div")]
  .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1)
  .map(({ textContent }) => textContent.slice(0, 40))`;

/** Elements that extend beyond the edge of a dialog. */
const OVER_DIALOG = `[...document.querySelectorAll("[role=dialog] *")]
  .filter((element) => element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 1 &&
    getComputedStyle(element).display !== "inline")
  .map(({ textContent }) => textContent.slice(0, 40))`;

/** Words in tables that break in the middle, although they are short enough to fit into a column. */
const BROKEN_WORDS = `[...document.querySelectorAll("td, th")].flatMap((cell) => {
  const broken = [];
  const nodes = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
  while (nodes.nextNode()) {
    const node = nodes.currentNode;
    for (const { 0: word, index } of node.data.matchAll(/\\S+/g)) {
      if (word.length > 24 || !/^[\\p{L}\\p{N}.,$_%@]+$/u.test(word)) continue;
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
      if (lines.size > 1) broken.push(word);
    }
  }
  return broken;
})`;

/** Pages that together show every kind of control. */
const SHOWN_DARK: readonly string[] = [
  "/",
  "/leads",
  "/board",
  "/deals/new",
  "/imports/new",
  "/partner",
];

async function checkPage(page: Page, path: string): Promise<void> {
  await page.goto(new URL(path, page.url()).href);
  await page.locator("h1").first().waitFor();
  await page.waitForLoadState("networkidle");
  await assertAccessible(page);
  for (const width of casesOf([390, 1024, 360], 1)) {
    await page.setViewportSize({ width, height: 800 });
    await eventually(
      async () => ({
        path,
        width,
        beyond_px: await page.evaluate<number>(OVERFLOW),
        broken: await page.evaluate<readonly string[]>(BROKEN_WORDS),
      }),
      ({ beyond_px, broken }) => beyond_px === 0 && broken.length === 0,
    );
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  // In the long form, `assertAccessible` has done this on every page.
  if (!isLong && SHOWN_DARK.includes(path)) await assertDarkAccessible(page);
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

test("long texts are not cut off on a phone, stay in their columns, and no page is wider than its screen", async (t) => {
  const pages = await startConsole(t);
  if (pages === undefined) return;
  const { client } = pages;
  const long = "The Long Established Harbour and Marina Berths Trading Company of Great Yarmouth";
  const word = "Donaudampfschifffahrtselektrizitaetenhauptbetriebswerkbauunterbeamtengesellschaft";
  ok(await client.patch("/crm/admin/tenant", { name: long }));
  const partner = await partnerOf(client, { name: `${long} ${word}`, commission_rate: 7.25 });
  const lead = { name: long, email: `${"long".repeat(15)}@example`, comments: long.repeat(3) };
  const pushed = await partner.push({ ...lead, match_preferences: { [long]: long } });
  ok(await client.post(`${REVIEW}/${pushed.id}/reject`, { reason: long.repeat(2) }));
  await partner.push({ ...lead, email: null, phone: "(212) 555-0143" });
  ok(await client.post("/crm/leads", { name: long, source: "Incoming-Call" }));
  ok(await client.post("/crm/leads", { name: word, source: "Referral" }));
  ok(await client.post("/crm/imports", { type: "leads", file_name: `${word}.csv` }));
  const task = { name: long.repeat(2), due_date: 1_700_000_000, userid: client.personId };
  ok(await client.post("/crm/tasks", task));
  const paths = {
    owner: [
      "/",
      "/?range=year",
      "/partners",
      `/partners/${partner.partner_id}`,
      "/partners/new",
      "/imports",
      "/settings/audit",
      "/deliveries",
      "/board",
      "/review",
    ],
    partner: [
      "/partner",
      "/partner/push",
      "/partner/pushed",
      `/partner/pushed/${pushed.id}`,
      "/partner/look-up",
      "/partner/push-file",
      "/partner/people",
      "/partner/analytics",
    ],
    nobody: ["/sign-in", `/partner/sign-in?business=${client.tenantId}`],
  };
  const windows = {
    owner: await pages.open("owner"),
    partner: await pages.openPartner(partner.token),
    nobody: await pages.openAsNobody("/sign-in"),
  };
  for (const who of ["owner", "partner", "nobody"] as const) {
    const page = windows[who];
    for (const path of paths[who]) {
      // The window is narrow from the start, as on a phone.
      await page.setViewportSize({ width: 390, height: 844 });
      await page.goto(pages.api.url + path);
      await page.locator("h1").first().waitFor();
      await page.waitForLoadState("networkidle");
      await eventually(
        async () => ({
          path,
          beyond_px: await page.evaluate<number>(OVERFLOW),
          cut: await page.evaluate<readonly string[]>(CUT_OFF),
        }),
        ({ beyond_px, cut }) => beyond_px === 0 && cut.length === 0,
      );
      await page.setViewportSize({ width: 1024, height: 844 });
      await eventually(
        async () => ({ path, over: await page.evaluate<readonly string[]>(OVER_NEXT) }),
        ({ over }) => over.length === 0,
      );
    }
  }
  const { owner } = windows;
  await owner.setViewportSize({ width: 390, height: 844 });
  await owner.goto(`${pages.api.url}/partners/${partner.partner_id}`);
  await owner.getByText("Current rate: 7.25%").waitFor();
  await owner.getByRole("button", { name: "Suspend" }).click();
  await owner.getByRole("dialog").getByText(word).waitFor();
  const over = await owner.evaluate<readonly string[]>(OVER_DIALOG);
  assert.deepEqual(over, [], "cut off at the edge of the dialog");
});

const MENU: Readonly<Record<Role, readonly string[]>> = {
  owner: ["Leads", "Review", "Partners", "Users", "Audit log"],
  admin: ["Leads", "Review", "Partners", "Users", "Audit log"],
  reviewer: ["Leads", "Review"],
  agent: ["Leads"],
  viewer: ["Leads"],
};

test("each role sees only the pages it may open, and no other page opens", async (t) => {
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
      const refused = await page.getByRole("heading", { name: "No access" }).count();
      assert.equal(refused, at < open[role] ? 0 : 1, `${path} for ${role}`);
    }
    await page.goto(`${pages.api.url}/leads`);
    await page.getByRole("heading", { name: "Leads", level: 1 }).waitFor();
    const mayCreate = await page.getByRole("link", { name: /create lead/i }).count();
    assert.equal(mayCreate > 0, !["reviewer", "viewer"].includes(role), `a new lead for ${role}`);
  }
});
