/** The partner portal in a real browser. The tests verify results through the API. */

import assert from "node:assert/strict";
import test from "node:test";
import type { Page } from "playwright-core";
import { systemClock, type Clock } from "../../../src/platform/clock/clock.ts";
import { ok } from "../../api/samples.ts";
import { partnerOf, REVIEW, type TestPartner } from "../../exchange/exchange-kit.ts";
import { PARTNERS } from "../../exchange/partner-kit.ts";
import type { Client } from "../../kit/api.ts";
import { assertAccessible, startConsole, type ConsoleTest } from "../../kit/console.ts";
import { eventually } from "../../kit/eventually.ts";
import { forward, installClock } from "../../kit/page-clock.ts";

interface Portal {
  readonly url: string;
  readonly client: Client;
  readonly partner: TestPartner;
  /** Opens a window in which the partner is signed in. */
  readonly open: (path?: string) => Promise<Page>;
}

/** One service and one browser, shared by all tests in this file. */
let started: ConsoleTest | undefined;

const machine = systemClock();
let stopped_ms: number | undefined;
/** The service's clock, which is the machine's clock unless a test has stopped it. */
const clock: Clock = { now_ms: () => stopped_ms ?? machine.now_ms() };

/** Stops the service's clock at a time until the test ends. */
const stopClock = (at_ms: number): number => (stopped_ms = at_ms);

/** Creates a tenant with a partner. Returns the partner's portal. */
async function startPortal(settings: object = {}): Promise<Portal> {
  assert.ok(started);
  const { api, openPartner } = started;
  const client = await api.tenant();
  const partner = await partnerOf(client, { name: "Harbour Referrals", ...settings });
  return { url: api.url, client, partner, open: (path) => openPartner(partner.token, path) };
}

const heading = (page: Page, name: string | RegExp) => page.getByRole("heading", { name });

const portalTests: (readonly [string, () => Promise<void>])[] = [];
const portalTest = (title: string, run: () => Promise<void>) => portalTests.push([title, run]);

/** Waits for a page and checks it with axe-core. */
async function seen(page: Page, title: string | RegExp): Promise<void> {
  await heading(page, title).first().waitFor();
  await page.waitForLoadState("networkidle");
  await assertAccessible(page);
}

const change = async (client: Client, { partner_id }: TestPartner, settings: object) =>
  ok(await client.patch(`${PARTNERS}/${partner_id}`, settings));

portalTest("an unknown person is checked, submitted and followed", async () => {
  const portal = await startPortal({ commission_rate: 7.5 });
  const { client, partner } = portal;
  const page = await portal.open();
  await seen(page, "No leads yet");
  await page.getByText("7.5% of each won deal").waitFor();

  await page.getByRole("link", { name: "Check for duplicates" }).click();
  await heading(page, "Check for duplicates").waitFor();
  await page.getByRole("button", { name: "Check", exact: true }).click();
  await page.getByText("Enter an email address or a phone number.").waitFor();
  await page.getByLabel("Email", { exact: true }).fill("ines.falk@example.com");
  await page.getByRole("button", { name: "Check", exact: true }).click();
  await page.getByText("Not known yet").waitFor();
  await assertAccessible(page);
  assert.equal(new URL(page.url()).search, "");

  await page.getByRole("link", { name: "Submit as a lead" }).click();
  await heading(page, "Submit a lead").waitFor();
  assert.equal(
    await page.getByLabel("Email", { exact: true }).inputValue(),
    "ines.falk@example.com",
  );
  await page.getByRole("button", { name: "Submit lead" }).click();
  await page.getByText("Enter a name.").waitFor();
  await assertAccessible(page);
  await page.getByLabel("Name", { exact: false }).first().fill("Ines Falk");
  await page.getByLabel("Preference 1: name").fill("berths");
  await page.getByLabel("Preference 1: value").fill("2");
  await page.getByLabel("Expiration date").fill("2090-12-24");
  await page.getByLabel("Comments").fill("Met at the boat show");
  await page.keyboard.press("Tab");
  await page.getByRole("button", { name: "Submit lead" }).click();
  await heading(page, "Lead submitted").waitFor();
  await page.getByText("The business will review Ines Falk next.").waitFor();
  await assertAccessible(page);

  const [lead] = ok(await partner.get("/crm/partner/pushed")).body;
  assert.deepEqual(lead.match_preferences, { berths: 2 });
  assert.equal(lead.comments, "Met at the boat show");
  assert.equal(lead.source, "Referral");
  assert.equal(new Date(lead.expiration_date * 1000).getFullYear(), 2090);

  ok(await client.post(`${REVIEW}/${lead.id}/reject`, { reason: "Came through someone else" }));
  await page.getByRole("link", { name: "View lead" }).click();
  await heading(page, "Timeline").waitFor();
  await page.getByText("Came through someone else").waitFor();
  await page.getByText("Rejected by the business").waitFor();
  await seen(page, "Ines Falk");
});

portalTest(
  "an invalid lead is rejected at its field, and a duplicate links to the earlier lead",
  async () => {
    const portal = await startPortal();
    const { client, partner } = portal;
    const earlier = await partner.push({ name: "Ines Falk", email: "ines@example.com" });
    const page = await portal.open("/partner/push");
    await page.getByLabel("Name", { exact: false }).first().fill("Ines Falk");
    await page.getByLabel("Email", { exact: true }).fill("ines@example.com");
    // The partner's sources change while the form is open.
    await change(client, partner, { allowed_marketing_sources: ["Google"] });
    await page.getByRole("button", { name: "Submit lead" }).click();
    await page.getByText("Choose 'Google'").waitFor();
    await assertAccessible(page);
    await change(client, partner, { allowed_marketing_sources: ["Google", "Referral"] });
    await page.getByRole("button", { name: "Submit lead" }).click();
    const known = page.getByRole("alert").filter({ hasText: "You already submitted this person" });
    await known.waitFor();
    // The message takes the focus and scrolls into view after it has appeared.
    await known.and(page.locator(":focus")).waitFor();
    const box = await known.boundingBox();
    assert.ok(box !== null && box.y >= 0 && box.y + box.height <= 900, `at ${box?.y}`);
    await assertAccessible(page);
    assert.equal(await page.getByLabel("Email", { exact: true }).inputValue(), "ines@example.com");
    await page.getByRole("link", { name: "View earlier lead" }).click();
    await heading(page, "Ines Falk").waitFor();
    assert.ok(page.url().endsWith(`/partner/pushed/${earlier.id}`));
  },
);

portalTest("an automatically accepted lead is reported immediately", async () => {
  const portal = await startPortal({ auto_accept: true, allowed_marketing_sources: [] });
  const page = await portal.open("/partner/push");
  await page.getByText("Unknown, because you have no sources.").waitFor();
  await page.getByLabel("Name", { exact: false }).first().fill("Theo Lund");
  await page.getByLabel("Phone").fill("(212) 555-0143");
  await page.getByRole("button", { name: "Submit lead" }).click();
  await page.getByText("was accepted automatically").waitFor();
  const [lead] = ok(await portal.partner.get("/crm/partner/pushed")).body;
  assert.equal(lead.status, "accepted");
  assert.equal(lead.source, "Unknown");
  await page.getByRole("button", { name: "Submit another lead" }).click();
  assert.equal(await page.getByLabel("Phone").inputValue(), "");
});

portalTest("a partner without permissions sees the reason on every page", async () => {
  const portal = await startPortal({ can_push: false, permissions: [] });
  const page = await portal.open();
  await heading(page, "Your permissions").waitFor();
  assert.equal(await page.getByRole("link", { name: "Leads and contacts" }).count(), 0);
  assert.equal(await page.getByRole("link", { name: "Submit a lead" }).count(), 1);
  await assertAccessible(page);
  const explained = {
    "/partner/look-up": "You cannot check for duplicates",
    "/partner/push": "You cannot submit leads",
    "/partner/push-file": "You cannot submit leads",
    "/partner/people": "You cannot see leads",
    "/partner/people?kind=contacts": "You cannot see contacts",
    "/partner/analytics": "You cannot see lead counts or earnings",
  };
  for (const [path, title] of Object.entries(explained)) {
    await page.goto(portal.url + path);
    await heading(page, title).waitFor();
  }
  await assertAccessible(page);
});

portalTest("a suspension ends the session at the next request and shows the reason", async () => {
  const portal = await startPortal();
  const { client, partner } = portal;
  const page = await portal.open("/partner/pushed?status=pending");
  await heading(page, "No matching leads").waitFor();
  await change(client, partner, { status: "suspended" });
  await page.getByRole("button", { name: "Refresh" }).click();
  await seen(page, "Partner sign-in");
  await page.getByText("the business may have suspended your access").waitFor();
  assert.equal(new URL(page.url()).searchParams.get("to"), "/partner/pushed?status=pending");
  // Visitors without a session are also redirected to the sign-in page.
  await page.goto(`${portal.url}/partner/analytics`);
  await heading(page, "Partner sign-in").waitFor();
  assert.equal(await page.getByText("Your session has ended").count(), 0);
});

portalTest("the session is renewed, and signing out returns to the sign-in", async () => {
  const portal = await startPortal();
  const page = await portal.open("/partner/api");
  const renewed = page.waitForRequest("**/auth/partner/renew");
  await page.reload();
  assert.equal((await renewed).method(), "POST");
  await page.getByRole("button", { name: "Your account" }).click();
  await page.getByText(portal.partner.partner_id).first().waitFor();
  const ended = page.waitForRequest("**/auth/partner/sign_out");
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await ended;
  await heading(page, "Partner sign-in").waitFor();
});

portalTest("a session that can no longer be renewed shows when it ends", async () => {
  const portal = await startPortal();
  // The sign-in page does not renew the session, so only the calls of the next page are counted.
  const page = await portal.open("/partner/sign-in");
  await heading(page, "Partner sign-in").waitFor();
  let calls = 0;
  await page.route("**/auth/partner/renew", (route) => {
    calls += 1;
    const expires_ts = Math.trunc(Date.now() / 1000) + 1;
    return calls === 1 ? route.fulfill({ json: { expires_ts } }) : route.fulfill({ status: 401 });
  });
  await installClock(page);
  await page.goto(`${portal.url}/partner/api`);
  await heading(page, "Use the API").waitFor();
  await eventually(() => calls >= 1);
  // The page may still have to read the response before it sets the timer.
  await eventually(async () => {
    await forward(page, 31_000);
    return calls >= 2;
  });
  await page.getByText(/Your session ends at/).waitFor();
  await assertAccessible(page);
});

portalTest("the filters of submitted leads are in the URL", async () => {
  const portal = await startPortal();
  const { client, partner } = portal;
  await partner.push({ name: "Ines Falk", source: "Google" });
  const refused = await partner.push({ name: "Mara Quist", expiration_date: "2090-01-01" });
  ok(await client.post(`${REVIEW}/${refused.id}/reject`, { reason: "No such person" }));
  const page = await portal.open("/partner/pushed");
  await page.getByText("Reason: No such person").waitFor();
  await seen(page, "My leads");
  await page.getByRole("combobox", { name: "Status" }).click();
  await page.getByRole("option", { name: "Pending" }).click();
  await page.getByRole("link", { name: "Mara Quist" }).waitFor({ state: "detached" });
  await page.getByRole("link", { name: "Ines Falk" }).waitFor();
  assert.equal(new URL(page.url()).search, "?status=pending");
  await page.getByLabel("Submitted on or before").fill("2020-01-01");
  await page.keyboard.press("Tab");
  await heading(page, "No matching leads").waitFor();
  await page.reload();
  await heading(page, "No matching leads").waitFor();
  await page.getByRole("button", { name: "Clear filters" }).first().click();
  await page.getByRole("link", { name: "Mara Quist" }).waitFor();
  await page.goto(`${portal.url}/partner/pushed/${"0".repeat(24)}`);
  await seen(page, "Lead not found");
});

portalTest(
  "leads and contacts from the partner's sources are listed and found by name",
  async () => {
    const portal = await startPortal();
    const { client, partner } = portal;
    for (const [name, source] of [
      ["Ada (Example)", "Referral"],
      ["Bo Example", "Google"],
      ["Cleo Hidden", "Yelp"],
    ]) {
      ok(await client.post("/crm/leads", { name, email: "a@example.com", source }));
    }
    const { id } = await partner.push({ name: "Dora Own" });
    ok(await client.post(`${REVIEW}/${id}/accept`));
    ok(await client.post(`${REVIEW}/${id}/import`));
    const page = await portal.open("/partner/people");
    const table = page.getByRole("table", { name: "Leads" });
    await table.waitFor();
    assert.equal(await table.getByRole("row").count(), 4);
    await table.getByRole("row", { name: /Dora Own Yours/ }).waitFor();
    await seen(page, "Leads and contacts");
    await page.getByLabel("Name contains").fill("ada (");
    await table.getByText("Bo Example").waitFor({ state: "detached" });
    await table.getByText("Ada (Example)").waitFor();
    assert.equal(new URL(page.url()).searchParams.get("name"), "ada (");
    await page.getByText("Contacts", { exact: true }).click();
    await seen(page, "No contacts from your sources");
  },
);

portalTest(
  "counts and earnings are shown for the selected period, as charts and tables",
  async () => {
    // It is always the same day, which is neither the first nor the last day of a month.
    const now_ms = stopClock(new Date().setUTCDate(15));
    const portal = await startPortal({ commission_rate: 10 });
    const { client, partner } = portal;
    const { id } = await partner.push();
    await partner.push();
    ok(await client.post(`${REVIEW}/${id}/accept`));
    const { imported_lead_id } = ok(await client.post(`${REVIEW}/${id}/import`)).body;
    const deal = { name: "Two berths", value_of_sale: 1234.5, stage: "closed_won" };
    ok(await client.post(`/crm/leads/${imported_lead_id}/convert`, { deal }));
    const page = await portal.open("/partner/api");
    await page.clock.setFixedTime(now_ms);
    await page.goto(`${portal.url}/partner/analytics`);
    await page.getByText("$123.45").first().waitFor();
    await page
      .getByRole("img", { name: "Progress. Submitted: 2, 100%; Accepted: 1, 50%" })
      .waitFor();
    await seen(page, "Analytics and earnings");
    const funnel = page.getByRole("figure", { name: "Progress" });
    await funnel.getByRole("button", { name: "Show as table" }).click();
    await funnel.getByRole("row", { name: "Imported 1 50%" }).waitFor();
    await assertAccessible(page);
    await page.getByRole("radiogroup", { name: "Period" }).getByText("Last month").click();
    await heading(page, "No leads submitted in this period").waitFor();
    assert.equal(new URL(page.url()).searchParams.get("range"), "last_month");
    await page.goto(`${portal.url}/partner/analytics?range=custom&from=2026-02-01&to=2026-01-01`);
    await page.getByText("The start date is after the end date.").waitFor();
  },
);

portalTest("the API samples contain the Partner ID but never the access code", async () => {
  const portal = await startPortal();
  const page = await portal.open("/partner/api");
  await seen(page, "Use the API");
  const text = await page.locator("main").innerText();
  assert.ok(text.includes(`PARTNER_ID=${portal.partner.partner_id}`));
  assert.ok(!text.includes(portal.partner.access_code));
  await page.getByText("TypeScript", { exact: true }).click();
  await page.getByText(`partner_id: "${portal.partner.partner_id}"`).waitFor();
});

portalTest(
  "the portal shows the name of its business, also on the sign-in page afterward",
  async () => {
    const portal = await startPortal();
    const name = "Harbour Ltd <b>& Sons</b>";
    ok(await portal.client.patch("/crm/admin/tenant", { name }));
    const page = await portal.open("/partner/pushed");
    await heading(page, "My leads").waitFor();
    await page.getByRole("banner").getByText(name).waitFor();
    assert.equal(await page.title(), `My leads · ${name}`);
    await page.getByRole("link", { name: "Overview" }).click();
    await page.getByText(`Submit leads to ${name}`).waitFor();
    await page.getByRole("button", { name: "Your account" }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await heading(page, "Partner sign-in").waitFor();
    await page.getByText(`access code from ${name}`).waitFor();
    assert.equal(await page.title(), `Partner sign-in · ${name}`);
    // The name is stored in the window's history state, not in the URL.
    assert.equal(new URL(page.url()).search, "");
    assert.ok(started);
    const other = await started.openAsNobody("/partner/sign-in");
    await other.getByText("access code from the business that you work with").waitFor();
    assert.equal(await other.title(), "Partner sign-in · Leadport");
  },
);

portalTest(
  "the URL given to a partner names the business and fills in the Partner ID",
  async () => {
    const portal = await startPortal();
    const { client, partner } = portal;
    ok(await client.patch("/crm/admin/tenant", { name: "Quay Works" }));
    assert.ok(started);
    const address = `/partner/sign-in?business=${client.tenantId}&partner=${partner.partner_id}`;
    const page = await started.openAsNobody(address);
    await page.getByText("access code from Quay Works").waitFor();
    await assertAccessible(page);
    const id = page.getByRole("textbox", { name: "Partner ID" });
    assert.equal(await id.inputValue(), partner.partner_id);
    const code = page.getByRole("textbox", { name: "Access code" });
    for (const wrong of ["wrong", "still wrong"]) {
      await code.fill(wrong);
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.getByText("Wrong Partner ID or access code.").waitFor();
      await code.and(page.locator(":focus")).waitFor();
      assert.equal(await code.getAttribute("aria-invalid"), "true");
    }
    await assertAccessible(page);
    // The rejected access code is selected, so typing replaces it.
    await page.keyboard.type(` ${partner.access_code} `);
    await page.keyboard.press("Enter");
    await page.getByRole("banner").getByText("Quay Works").waitFor();

    const other = await started.openAsNobody("/partner/sign-in?business=default");
    await other.getByText("access code from the business that you work with").waitFor();
  },
);

portalTest("after too many wrong codes, the sign-in shows how long to wait", async () => {
  // The wait is counted from the first wrong code.
  stopClock(Date.now());
  const { partner } = await startPortal();
  assert.ok(started);
  const page = await started.openAsNobody(`/partner/sign-in?partner=${partner.partner_id}`);
  const code = page.getByRole("textbox", { name: "Access code" });
  for (let at = 0; at < 5; at += 1) {
    await code.fill(`wrong ${at}`);
    const answered = page.waitForResponse("**/auth/partner/sign_in");
    await page.getByRole("button", { name: "Sign in" }).click();
    assert.equal((await answered).status(), 401);
  }
  await code.fill(partner.access_code);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByText("Too many failed attempts. Try again in 15 minutes.").waitFor();
  await assertAccessible(page);
});

portalTest("an email address that looks invalid is submitted only after confirmation", async () => {
  const { partner, open } = await startPortal();
  const page = await open("/partner/push");
  await page.getByLabel("Name", { exact: false }).first().fill("Ines Falk");
  const email = page.getByLabel("Email", { exact: true });
  await email.fill("ines@example");
  await page.getByLabel("Phone").focus();
  await page.getByText("This email address looks invalid.").waitFor();
  await assertAccessible(page);
  await page.getByRole("button", { name: "Submit lead" }).click();
  // Nothing is sent, and focus moves to the invalid field.
  await email.and(page.locator(":focus")).waitFor();
  assert.deepEqual(ok(await partner.get("/crm/partner/pushed")).body, []);
  const anyway = page.getByRole("checkbox", { name: "Submit this email address anyway" });
  await anyway.check();
  await page.getByText("This email address looks invalid.").waitFor({ state: "detached" });
  // A changed address must be confirmed again.
  await email.fill("ines@");
  await page.getByRole("button", { name: "Submit lead" }).click();
  await page.getByText("This email address looks invalid.").waitFor();
  assert.equal(await anyway.isChecked(), false);
  await anyway.check();
  await page.getByRole("button", { name: "Submit lead" }).click();
  await heading(page, "Lead submitted").waitFor();
  const [lead] = ok(await partner.get("/crm/partner/pushed")).body;
  assert.equal(lead.email, "ines@");
  await page.getByRole("link", { name: "View lead" }).click();
  await page.getByText("Looks invalid").waitFor();
  await assertAccessible(page);

  await page.getByRole("link", { name: "Submit a lead" }).click();
  await page.getByLabel("Name", { exact: false }).first().fill("Mara Lind");
  await email.fill("mara@example.com");
  await page.getByLabel("Phone").focus();
  await page.getByRole("button", { name: "Submit lead" }).click();
  await heading(page, "Lead submitted").waitFor();
});

test("the partners' portal", async (t) => {
  started = await startConsole(t, { clock });
  if (started === undefined) return;
  for (const [title, run] of portalTests) {
    await t.test(title, async () => {
      stopped_ms = undefined;
      await run();
    });
  }
});
