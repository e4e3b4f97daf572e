/** The review in the browser: by keyboard, in bulk, with new leads arriving, and with decisions made by other users. */

import assert from "node:assert/strict";
import test from "node:test";
import { ok, type Body } from "../../api/samples.ts";
import { decide, partnerOf, reviewed, type PushedBody } from "../../exchange/exchange-kit.ts";
import { assertAccessible, holdRequests, startConsole } from "../../kit/console.ts";
import { eventually } from "../../kit/eventually.ts";
import { longTest } from "../../kit/long.ts";
import { forward, installClock } from "../../kit/page-clock.ts";
import {
  pushMany,
  headingOf,
  rowOf,
  stateOf,
  untilStates,
  DECISIONS,
  holdDecisions,
  reloadAndFollow,
  chooseReason,
  leave,
} from "./review-kit.ts";

longTest(
  "fifty leads are reviewed with the keyboard without waiting for the service",
  async (t) => {
    const pages = await startConsole(t);
    if (pages === undefined) return;
    const { client } = pages;
    const partner = await partnerOf(client);
    const leads = await pushMany(partner, 51);
    const page = await pages.open("reviewer", "/review");
    await headingOf(page, "Lead 01").waitFor();
    await page.getByRole("link", { name: "Pending 51" }).waitFor();
    await holdDecisions(page);
    const release = await holdRequests(page, /\/crm\//);

    const wanted: string[] = [];
    for (let at = 0; at < 50; at += 1) {
      if (at % 5 === 4) {
        await page.keyboard.press("r");
        await page.getByRole("dialog", { name: /^Reject Lead/ }).waitFor();
        await chooseReason(page, (at % 3) + 1);
        wanted.push("rejected");
      } else {
        const key = at % 5 === 3 ? "i" : "a";
        await page.keyboard.press(key);
        wanted.push(key === "i" ? "imported" : "accepted");
      }
      await headingOf(page, `Lead ${String(at + 2).padStart(2, "0")}`).waitFor();
    }
    release();

    // Undo the last decision and make a different one.
    await page.keyboard.press("u");
    await headingOf(page, "Lead 50").waitFor();
    await page.waitForURL(`**/review/${leads[49]?.id}`);
    await page.keyboard.press("a");
    wanted[49] = "accepted";
    await headingOf(page, "Lead 51").waitFor();
    await leave(page);
    await untilStates(client, leads, [...wanted, "pending"]);

    // The partner sees the selected rejection reason.
    const rejected = ok(await partner.get(`/crm/partner/pushed/${leads[4]?.id}`)).body as Body;
    assert.equal(rejected["rejection_reason"], "Unreachable");
    const imported = await reviewed(client, leads[3]?.id ?? "");
    const lead = ok(await client.get(`/crm/leads/${String(imported["imported_lead_id"])}`)).body;
    assert.equal(lead.name, "Lead 04");
  },
);

test("after an import, the message links to the lead", async (t) => {
  const pages = await startConsole(t);
  if (pages === undefined) return;
  const { client } = pages;
  const leads = await pushMany(await partnerOf(client), 2);
  const page = await pages.open("admin", "/review");
  await headingOf(page, "Lead 01").waitFor();
  await page.getByRole("button", { name: "Accept and import" }).click();
  await page.getByRole("link", { name: "Open lead" }).click();
  await page.getByRole("heading", { name: "Lead 01", level: 1 }).waitFor();
  const { imported_lead_id } = await reviewed(client, leads[0]?.id ?? "");
  assert.equal(new URL(page.url()).pathname, `/leads/${String(imported_lead_id)}`);
});

test("after accepting a lead, the message links to the accepted leads", async (t) => {
  const pages = await startConsole(t);
  if (pages === undefined) return;
  await pushMany(await partnerOf(pages.client), 1);
  const page = await pages.open("admin", "/review");
  await headingOf(page, "Lead 01").waitFor();
  await page.getByRole("button", { name: "Accept", exact: true }).click();
  await page.getByRole("link", { name: "Import it under Accepted" }).click();
  await rowOf(page, "Lead 01").waitFor();
  await assertAccessible(page);
});

test("decided leads appear under their new status, including leads decided by other users", async (t) => {
  const pages = await startConsole(t);
  if (pages === undefined) return;
  const { client } = pages;
  const [, second] = await pushMany(await partnerOf(client), 2);
  const page = await pages.open("reviewer", "/review");
  await headingOf(page, "Lead 01").waitFor();
  const released = Promise.withResolvers<void>();
  await page.route("**/accept", async (route) => {
    await released.promise;
    await route.continue();
  });
  await page.getByRole("button", { name: "Accept", exact: true }).click();
  await page.getByRole("link", { name: "Accepted 1" }).click();
  await page.getByRole("heading", { name: "Your decision has not been sent yet" }).waitFor();
  released.resolve();
  await rowOf(page, "Lead 01").waitFor();
  await reloadAndFollow(page);
  await rowOf(page, "Lead 01").waitFor();
  ok(await decide(client, second?.id ?? "", "accept"));
  await page.getByRole("button", { name: "1 new lead" }).click();
  await rowOf(page, "Lead 02").waitFor();
  await page.getByRole("link", { name: "Rejected 0" }).click();
  await page.getByRole("heading", { name: "No rejected leads" }).waitFor();
});

test("keys move, select and decide in bulk; decisions of others are reported for each lead", async (t) => {
  const pages = await startConsole(t);
  if (pages === undefined) return;
  const { client } = pages;
  const partner = await partnerOf(client);
  const leads = await pushMany(partner, 5);
  const page = await pages.open("reviewer", "/review");
  await headingOf(page, "Lead 01").waitFor();
  await page.keyboard.press("j");
  await headingOf(page, "Lead 02").waitFor();
  await page.keyboard.press("x");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Shift+X");
  await page.getByText("3 selected").waitFor();
  await page.keyboard.press("Control+a");
  await page.getByText("5 selected").waitFor();
  await page.keyboard.press("Escape");
  await page.getByText(/\d selected/).waitFor({ state: "detached" });
  await page.keyboard.press("k");
  await headingOf(page, "Lead 03").waitFor();
  await page.waitForURL(`**/review/${leads[2]?.id}`);
  await page.reload();
  await headingOf(page, "Lead 03").waitFor();
  await page.getByRole("checkbox", { name: "Select Lead 01" }).click();
  await page.getByRole("checkbox", { name: "Select Lead 02" }).click();
  const send = await holdRequests(page, DECISIONS);
  await page.keyboard.press("a");
  await page.getByText("2 leads accepted").waitFor();
  ok(await decide(client, leads[1]?.id ?? "", "reject"));
  send();
  await page.getByText("2 leads accepted: 1 of 2 done").waitFor();
  await page.getByRole("button", { name: "View results" }).click();
  const dialog = page.getByRole("dialog", { name: "Results" });
  await dialog.getByRole("row", { name: /Lead 02 Failed: This lead is rejected/ }).waitFor();
  await dialog.getByRole("row", { name: /Lead 01 Done Accepted/ }).waitFor();
  await assertAccessible(page);
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  // The lead is listed again with its current status.
  await rowOf(page, "Lead 02").getByText("Rejected").waitFor();
  assert.equal(await rowOf(page, "Lead 01").count(), 0);
  await untilStates(client, leads, ["accepted", "rejected", "pending", "pending", "pending"]);
});

test("deciding a lead that another user decided restores it with its status", async (t) => {
  const pages = await startConsole(t);
  if (pages === undefined) return;
  const { client } = pages;
  const partner = await partnerOf(client);
  const [first] = await pushMany(partner, 2);
  const page = await pages.open("reviewer", "/review");
  await headingOf(page, "Lead 01").waitFor();
  const send = await holdRequests(page, DECISIONS);
  await page.getByRole("button", { name: "Accept", exact: true }).click();
  await headingOf(page, "Lead 02").waitFor();
  assert.equal(await stateOf(client, first as PushedBody), "pending", "nothing has left yet");
  ok(await decide(client, first?.id ?? "", "reject"));
  send();
  await page.getByRole("alert").getByText("This lead is rejected").waitFor();
  await rowOf(page, "Lead 01").getByText("Rejected").waitFor();
});

test("new leads and others' decisions appear without moving rows", async (t) => {
  const pages = await startConsole(t);
  if (pages === undefined) return;
  const { client } = pages;
  const partner = await partnerOf(client);
  const page = await pages.open("reviewer", "/review");
  await page.getByRole("heading", { name: "You’re all caught up" }).waitFor();
  await assertAccessible(page);
  await reloadAndFollow(page);
  await page.getByRole("heading", { name: "You’re all caught up" }).waitFor();
  const [first] = await pushMany(partner, 1);
  await rowOf(page, "Lead 01").waitFor();
  await partner.push({ name: "Later One" });
  await partner.push({ name: "Later Two" });
  const chip = page.getByRole("button", { name: "2 new leads" });
  await chip.waitFor();
  assert.equal(await rowOf(page, "Later One").count(), 0);
  await chip.click();
  await rowOf(page, "Later Two").waitFor();
  ok(await decide(client, first?.id ?? "", "reject"));
  await rowOf(page, "Lead 01").getByText("Rejected").waitFor();
});

test("without an event stream, the queue is polled", async (t) => {
  const pages = await startConsole(t);
  if (pages === undefined) return;
  const partner = await partnerOf(pages.client);
  const [first] = await pushMany(partner, 1);
  const page = await pages.open("reviewer", "/review");
  await headingOf(page, "Lead 01").waitFor();
  await page.route("**/stream*", (route) => route.fulfill({ status: 429, json: { detail: "?" } }));
  await installClock(page);
  await page.addInitScript(`window.EventSource = class extends EventSource {
    constructor(url) {
      super(url);
      this.addEventListener("error", () => (window.hasNoStream = true));
    }
  }`);
  await page.reload();
  await headingOf(page, "Lead 01").waitFor();
  // The page starts to poll when it notices that there is no stream.
  await eventually(() => page.evaluate("window.hasNoStream === true"));
  await partner.push({ name: "Later One" });
  await forward(page, 21_000);
  await page.getByRole("button", { name: "1 new lead" }).click();
  await rowOf(page, "Later One").waitFor();
  assert.equal(await stateOf(pages.client, first as PushedBody), "pending");
});

test("a possible duplicate is compared side by side", async (t) => {
  const pages = await startConsole(t);
  if (pages === undefined) return;
  const { client } = pages;
  const known = { name: "Ines Falk", email: "ines@example.com", phone: "(212) 555-0143" };
  const contact = ok(await client.post("/crm/contacts", known)).body;
  const partner = await partnerOf(client);
  await partner.push({
    name: "I. Falk",
    email: "INES@example.com",
    phone: "+1 646 555 0100",
    comments: "Met at the boat show",
    description: "Two berths",
    match_preferences: { berths: 2 },
    expiration_date: Math.floor(Date.now() / 1000) + 7200,
  });
  const page = await pages.open("admin", "/review?duplicate=true");
  await headingOf(page, "I. Falk").waitFor();
  const table = page.getByRole("table", { name: "Possible duplicates" });
  await table.getByRole("row", { name: /^Email .*Same/ }).waitFor();
  await table.getByRole("row", { name: /^Phone .*Different/ }).waitFor();
  await table.getByRole("row", { name: /^Name .*Different/ }).waitFor();
  const link = table.getByRole("link", { name: "Open: Ines Falk" });
  assert.equal(await link.getAttribute("href"), `/contacts/${contact._id}`);
  await page.locator("dt:text-is('Berths') + dd:text-is('2')").waitFor();
  await page
    .getByText(/Expires in/)
    .first()
    .waitFor();
  await assertAccessible(page);
});

test("match preferences are shown whatever their names are", async (t) => {
  const pages = await startConsole(t);
  if (pages === undefined) return;
  const partner = await partnerOf(pages.client);
  const nested = '{"__proto__": {"min": 1}, "constructor": 2, "toString": [{"valueOf": 3}]}';
  await partner.push({ name: "Lead 01", match_preferences: JSON.parse(nested) as Body });
  const page = await pages.open("reviewer", "/review");
  await headingOf(page, "Lead 01").waitFor();
  await page.locator("dt:text-is('Proto') + dd").getByText("Min").waitFor();
  await page.locator("dt:text-is('Constructor') + dd:text-is('2')").waitFor();
  await page.locator("dt:text-is('Value of') + dd:text-is('3')").waitFor();
});

test("filters are in the URL, and their results are counted", async (t) => {
  const pages = await startConsole(t);
  if (pages === undefined) return;
  const { client } = pages;
  const partner = await partnerOf(client, { name: "Pier Nine" });
  const other = await partnerOf(client, { name: "Quay Two" });
  await partner.push({ name: "By Pier", source: "Google" });
  const second = await other.push({ name: "By Quay" });
  ok(await decide(client, second.id, "accept"));
  const page = await pages.open("admin", "/review");
  await headingOf(page, "By Pier").waitFor();
  await page.getByRole("link", { name: "Accepted 1" }).click();
  await headingOf(page, "By Quay").waitFor();
  const tabs = page.getByRole("navigation", { name: "Status" });
  assert.deepEqual(await tabs.locator("[aria-current=page]").allInnerTexts(), ["Accepted\n1"]);
  await page.getByRole("button", { name: "Filters" }).click();
  await page.getByRole("combobox", { name: "Partner" }).selectOption("Pier Nine");
  await page.getByRole("heading", { name: "No matching leads" }).waitFor();
  await assertAccessible(page);
  await page.keyboard.press("Escape");
  await page.getByRole("link", { name: "All" }).click();
  await headingOf(page, "By Pier").waitFor();
  await page.getByRole("link", { name: "Accepted 0" }).waitFor();
  const { searchParams } = new URL(page.url());
  assert.equal(searchParams.get("partner"), partner.partner_id);
  assert.equal(searchParams.get("status"), "all");
  await page.getByLabel("Sort by").selectOption("Newest first");
  await page.waitForURL(/order=newest/);
  await page.reload();
  await headingOf(page, "By Pier").waitFor();
  await page.getByRole("button", { name: "Filters (1)" }).waitFor();
});

test("a rejection asks for a reason from the reviewer's own list", async (t) => {
  const pages = await startConsole(t);
  if (pages === undefined) return;
  const { client } = pages;
  const partner = await partnerOf(client);
  const leads = await pushMany(partner, 2);
  const page = await pages.open("reviewer", "/review");
  await headingOf(page, "Lead 01").waitFor();
  await page.keyboard.press("r");
  const dialog = page.getByRole("dialog", { name: "Reject Lead 01" });
  await dialog.waitFor();
  await assertAccessible(page);
  await dialog.getByRole("button", { name: "Reject" }).click();
  await dialog.getByText("Enter a reason. The partner sees it.").waitFor();
  await dialog.getByRole("button", { name: "Edit reasons" }).click();
  await dialog.getByLabel("Reason 1", { exact: true }).fill("Wrong harbour");
  await assertAccessible(page);
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.getByRole("button", { name: "1 Wrong harbour" }).waitFor();
  await dialog.getByLabel("Another reason").fill("No boat, 1 canoe");
  await page.keyboard.press("Control+Enter");
  await headingOf(page, "Lead 02").waitFor();
  await page.keyboard.press("r");
  await page.getByRole("button", { name: "1 Wrong harbour" }).waitFor();
  await chooseReason(page, 1);
  await leave(page);
  await untilStates(client, leads, ["rejected", "rejected"]);
  const told = ok(await partner.get("/crm/partner/pushed")).body as unknown as Body[];
  assert.deepEqual(
    told.map(({ rejection_reason }) => rejection_reason),
    ["Wrong harbour", "No boat, 1 canoe"],
  );
});

test("keyboard shortcuts are listed and can be turned off", async (t) => {
  const pages = await startConsole(t);
  if (pages === undefined) return;
  const { client } = pages;
  const [lead] = await pushMany(await partnerOf(client), 1);
  const page = await pages.open("reviewer", "/review");
  await headingOf(page, "Lead 01").waitFor();
  await page.keyboard.press("?");
  const dialog = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await dialog.waitFor();
  await assertAccessible(page);
  const saved = page.waitForResponse((answer) => answer.request().method() === "PUT");
  await dialog.getByLabel("Enable single-key shortcuts").click();
  assert.equal((await saved).status(), 200);
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  await page.getByText("You can undo a decision for 6 seconds.").waitFor();
  await page.keyboard.press("a");
  assert.equal(await headingOf(page, "Lead 01").count(), 1);
  assert.equal(await stateOf(client, lead as PushedBody), "pending");
});

test("on a narrow screen, the list opens a lead and goes back", async (t) => {
  const pages = await startConsole(t);
  if (pages === undefined) return;
  const { client } = pages;
  const leads = await pushMany(await partnerOf(client), 2);
  const page = await pages.open("reviewer", "/review");
  await page.setViewportSize({ width: 360, height: 740 });
  // The layout changes shortly after the size.
  await page.getByRole("region", { name: "Partner lead" }).waitFor({ state: "detached" });
  await holdDecisions(page);
  await rowOf(page, "Lead 01").click();
  await headingOf(page, "Lead 01").waitFor();
  assert.equal(await page.getByRole("list", { name: "Partner leads" }).count(), 0);
  await assertAccessible(page);
  await page.getByRole("button", { name: "Accept", exact: true }).click();
  await headingOf(page, "Lead 02").waitFor();
  await page.getByRole("button", { name: "Undo" }).click();
  await headingOf(page, "Lead 01").waitFor();
  await page.getByRole("button", { name: "Back to list" }).click();
  await rowOf(page, "Lead 02").waitFor();
  await assertAccessible(page);
  const overflow = "document.documentElement.scrollWidth - innerWidth";
  assert.equal(await page.evaluate(overflow), 0);
  await untilStates(client, leads, ["pending", "pending"]);
});

test("only reviewers can review", async (t) => {
  const pages = await startConsole(t);
  if (pages === undefined) return;
  for (const role of ["viewer", "agent"] as const) {
    const page = await pages.open(role, "/review");
    await page.getByRole("heading", { name: "No access" }).waitFor();
    await assertAccessible(page);
  }
  const page = await pages.open("reviewer", "/review/none");
  await page.getByRole("heading", { name: "Page not found" }).waitFor();
});

test("an email address that looks invalid is marked", async (t) => {
  const pages = await startConsole(t);
  if (pages === undefined) return;
  const partner = await partnerOf(pages.client);
  await partner.push({ name: "Lead fine", email: "fine@example.com" });
  await partner.push({ name: "Lead odd", email: "odd@example" });
  const page = await pages.open("reviewer", "/review");
  await headingOf(page, "Lead fine").waitFor();
  await page.getByRole("link", { name: "fine@example.com", exact: true }).waitFor();
  const mark = page.getByRole("region", { name: "Partner lead" }).getByText("Looks invalid");
  assert.equal(await mark.count(), 0);
  await rowOf(page, "Lead odd").getByText("Looks invalid").waitFor();
  await rowOf(page, "Lead odd").click();
  await headingOf(page, "Lead odd").waitFor();
  await mark.waitFor();
  await assertAccessible(page);
});
