/** The home page: the to-do list and the charts. */

import assert from "node:assert/strict";
import test from "node:test";
import { ok } from "../../api/samples.ts";
import { assertAccessible, startConsole } from "../../kit/console.ts";
import { eventually } from "../../kit/eventually.ts";
import type { Page } from "playwright-core";

test("a new business sees the first steps", async (t) => {
  const pages = await startConsole(t);
  if (pages === undefined) return;
  const page = await pages.open("agent");
  await page.getByRole("heading", { name: "Get started" }).waitFor();
  assert.equal(
    await page.getByRole("link", { name: "Import a file" }).getAttribute("href"),
    "/imports/new",
  );
  assert.equal(await page.getByRole("heading", { name: "Partner leads" }).count(), 0);
  await assertAccessible(page);
});

test("an empty business sees offers to import a file and invite a partner", async (t) => {
  const pages = await startConsole(t);
  if (pages === undefined) return;
  const page = await pages.open("owner");
  await page.getByRole("heading", { name: "Get started" }).waitFor();
  const offered = page.getByRole("region", { name: "Get started" });
  const links: readonly (readonly [name: string, href: string])[] = [
    ["Import a file", "/imports/new"],
    ["Create partner", "/partners/new"],
    ["Create lead", "/leads/new"],
  ];
  for (const [name, href] of links) {
    assert.equal(await offered.getByRole("link", { name }).getAttribute("href"), href);
  }
  await assertAccessible(page);
  ok(await pages.client.post("/crm/leads", { name: "Ines Falk", source: "Google" }));
  await page.reload();
  await page.getByRole("img", { name: "New leads by source" }).waitFor();
  assert.equal(await offered.count(), 0);
});

/** Returns the color of each source in the chart's legend. */
async function sourceColors(page: Page): Promise<Readonly<Record<string, string>>> {
  const figure = page.getByRole("region", { name: "New leads by source" });
  await figure.locator(".recharts-legend-wrapper").getByText("Google").waitFor();
  const items = await figure.locator(".mantine-ChartLegend-legendItem").all();
  const colors = await Promise.all(
    items.map(async (item) => [
      await item.innerText(),
      await item.locator(".mantine-ColorSwatch-colorOverlay").getAttribute("style"),
    ]),
  );
  return Object.fromEntries(colors) as Record<string, string>;
}

test("a source keeps its color when another one has more leads", async (t) => {
  const pages = await startConsole(t);
  if (pages === undefined) return;
  const { client, api } = pages;
  const now_s = Math.floor(Date.now() / 1000);
  // Referral has the most leads of the last few days, and Google has the most of the last year.
  const created = [
    ["Referral", 0],
    ["Referral", 0],
    ["Google", 0],
    ["Google", 60],
    ["Google", 60],
    ["Yelp", 60],
  ] as const;
  for (const [source, days] of created) {
    const { _id } = ok(await client.post("/crm/leads", { name: "Someone New", source })).body;
    if (days > 0) await api.restamp("leads", _id, { created_ts: now_s - days * 86_400 });
  }
  const page = await pages.open("viewer", "/?range=week");
  const week = await sourceColors(page);
  await page.goto(`${api.url}/?range=year`);
  const year = await sourceColors(page);
  assert.deepEqual(Object.keys(week).toSorted(), ["Google", "Referral"]);
  assert.deepEqual(Object.keys(year).toSorted(), ["Google", "Referral", "Yelp"]);
  assert.equal(new Set(Object.values(year)).size, 3);
  for (const name of ["Google", "Referral"]) assert.equal(week[name], year[name], name);
});

test("charts match the records, also as tables", async (t) => {
  // It is always noon, so that the records and the charts have the same last day.
  const noon_ms = new Date().setUTCHours(12, 0, 0, 0);
  const pages = await startConsole(t, { clock: { now_ms: () => noon_ms } });
  if (pages === undefined) return;
  const { client } = pages;
  for (const source of ["Google", "Google", "Referral"]) {
    ok(await client.post("/crm/leads", { name: "Someone New", source }));
  }
  const account = ok(await client.post("/crm/accounts", { name: "Quay Works" })).body._id;
  const deal = { name: "Cranes", account_id: account, value_of_sale: 1200.5 };
  ok(await client.post("/crm/opportunities", { ...deal, stage: "negotiation_review" }));
  ok(await client.post("/crm/opportunities", { ...deal, stage: "closed_won" }));
  ok(
    await client.post("/crm/tasks", {
      name: "Ring back",
      due_date: 1_700_000_000,
      userid: client.personId,
    }),
  );
  const page = await pages.open("owner", "/profile");
  await page.clock.setFixedTime(noon_ms);
  await page.goto(pages.api.url);
  await page.getByRole("link", { name: "Ring back" }).waitFor();
  await page.getByText("overdue").waitFor();
  await page.getByText("No leads to review").waitFor();
  for (const title of ["New leads by source", "Open deals by stage", "Won"]) {
    const figure = page.getByRole("region", { name: title, exact: true });
    await figure.getByRole("img").waitFor();
    await figure.getByText("Table").click();
    await figure.getByRole("table").waitFor();
  }
  assert.equal(await page.getByText("1 deal · $1,200.50").count(), 2);
  const leads = page.getByRole("table", { name: "New leads by source" });
  assert.deepEqual(await leads.getByRole("row").first().getByRole("columnheader").allInnerTexts(), [
    "Period",
    "Google",
    "Referral",
  ]);
  assert.deepEqual(
    (await leads.getByRole("row").last().getByRole("cell").allInnerTexts()).slice(1),
    ["2", "1"],
  );
  const won = page.getByRole("table", { name: "Won" });
  assert.match(
    (await won.getByRole("row").last().innerText()).replaceAll(/\s/g, " "),
    /1 \$1,200\.5/,
  );
  await page.getByText("7 days").click();
  await page.waitForURL(/range=week/);
  // The URL changes before the table with the rows of 30 days disappears.
  await eventually(
    () => won.getByRole("row").count(),
    (rows) => rows === 8,
  );
  await assertAccessible(page);
});

test("the charts count from midnight of the first day in the time zone of the business", async (t) => {
  const pages = await startConsole(t);
  if (pages === undefined) return;
  ok(await pages.client.patch("/crm/admin/tenant", { timezone: "Asia/Kathmandu" }));
  const page = await pages.open("admin", "/profile");
  // In Kathmandu, it is already November 21.
  await page.clock.setFixedTime("2026-11-20T20:00:00Z");
  const starts: (string | null)[] = [];
  page.on("request", (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (/analytics|summary/.test(pathname)) starts.push(searchParams.get("start_date"));
  });
  const received = page.waitForResponse("**/crm/admin/analytics*");
  await page.goto(`${pages.api.url}/?range=week`);
  assert.equal((await received).status(), 200);
  await page.getByRole("heading", { name: "Partner leads" }).waitFor();
  assert.deepEqual(
    new Set(starts.filter((start) => start !== null)),
    new Set(["2026-11-14T18:15:00Z"]),
  );
});

test("Home shows at once that a task was completed in the list", async (t) => {
  const pages = await startConsole(t);
  if (pages === undefined) return;
  ok(await pages.client.post("/crm/leads", { name: "Ines Falk" }));
  const page = await pages.open("agent", "/");
  const headers = { "sec-fetch-site": "same-origin" };
  const data = { name: "Call Ines", due_date: Math.floor(Date.now() / 1000) };
  await page.request.post(`${pages.api.url}/crm/tasks`, { data, headers });
  await page.reload();
  const menu = page.getByRole("navigation", { name: "Main menu" });
  await page.getByRole("link", { name: "Call Ines" }).waitFor();
  await menu.getByRole("link", { name: "Tasks" }).click();
  await page.getByRole("checkbox", { name: "Complete Call Ines" }).click();
  await page.getByRole("checkbox", { name: "Complete Call Ines", checked: true }).waitFor();
  await menu.getByRole("link", { name: "Home" }).click();
  await page.getByText("You have no tasks due").waitFor();
});
