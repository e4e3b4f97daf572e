/** The audit log as users see it: formatted dates, percentages and options, and linked names in place of IDs. */

import assert from "node:assert/strict";
import test from "node:test";
import type { Locator } from "playwright-core";
import { ok, type Body } from "../../api/samples.ts";
import { importPushed, partnerOf } from "../../exchange/exchange-kit.ts";
import { assertAccessible, startConsole } from "../../kit/console.ts";
import { eventually } from "../../kit/eventually.ts";

/** Returns the old and new values of a field in an entry, as a screen reader announces them. */
const fieldOf = async (entry: Locator, label: string): Promise<string> => {
  const row = entry.getByRole("row").filter({
    has: entry.page().getByRole("rowheader", { name: label, exact: true }),
  });
  return (await row.getByRole("cell").innerText()).replaceAll(/\s+/g, " ").trim();
};

test("values in the audit log are formatted, and IDs are shown as names with links", async (t) => {
  const pages = await startConsole(t);
  if (pages === undefined) return;
  const { client } = pages;
  const make = async (path: string, body: unknown) =>
    ok(await client.post(path, body)).body as Body;
  const partner = await partnerOf(client, { name: "Pier Nine", commission_rate: 5 });
  const until = Math.floor(Date.UTC(2031, 2, 4, 12) / 1000);
  const preferences = { min_price: 250_000, contact_times: [{ day: "Monday" }] };
  const pushed = await partner.push({
    name: "Mara Lind",
    match_preferences: preferences,
    expiration_date: until,
  });
  const lead = await importPushed(client, pushed.id);
  const account = await make("/crm/accounts", { name: "Harbour Works" });
  const deal = await make("/crm/opportunities", {
    name: "Two cranes",
    account_id: account["_id"],
    stage: "contract_pending",
    probability_pcnt: 0.25,
  });
  ok(
    await client.patch(`/crm/opportunities/${String(deal["_id"])}`, {
      stage: "closed_won",
      value_of_sale: 13_500.5,
      probability_pcnt: 1,
      expected_close_date: until,
    }),
  );
  const task = await make("/crm/tasks", {
    name: "Call them",
    subject_type: "account",
    subject: account["_id"],
  });
  ok(await client.request({ method: "DELETE", path: `/crm/tasks/${String(task["_id"])}` }));
  ok(
    await client.patch(`/crm/admin/partners/${partner.partner_id}`, {
      commission_rate: 7.5,
      can_push: false,
    }),
  );

  // A page that requests no names of records.
  const page = await pages.open("admin", "/profile");
  const asked: string[] = [];
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (/^\/crm\/(leads|accounts|deals|tasks)/.test(pathname)) asked.push(pathname);
  });
  await page.goto(`${pages.api.url}/settings/audit`);
  const entries = page.getByRole("list", { name: "Audit log" }).getByRole("listitem");
  const entryOf = (action: string, subject: string) =>
    entries.filter({ has: page.getByText(action, { exact: true }) }).filter({ hasText: subject });

  const won = entryOf("Updated", "Deal").first();
  await won.getByRole("link", { name: "Two cranes" }).waitFor();
  const deleted = entryOf("Deleted", "Task").first();
  for (const entry of [deleted, entryOf("Created", "Task").first()]) {
    await entry.getByText("Call them (deleted)").waitFor();
  }
  await eventually(
    () => asked.length,
    (count) => count >= 5,
  );
  // Names are requested once per record type, however many entries refer to them. Only the deleted task needs a
  // separate request.
  assert.deepEqual(asked.toSorted(), [
    "/crm/accounts",
    "/crm/deals",
    "/crm/leads",
    "/crm/tasks",
    `/crm/tasks/${String(task["_id"])}`,
  ]);
  for (const entry of await entries.all()) {
    const more = entry.getByRole("button", { name: /^Show all/ });
    if ((await more.count()) > 0) await more.click();
  }
  assert.equal(await fieldOf(won, "Stage"), "from Contract pending to Closed won");
  assert.equal(await fieldOf(won, "Value"), "$13,500.50");
  assert.equal(await fieldOf(won, "Probability"), "from 25% to 100%");
  assert.equal(await fieldOf(won, "Expected close"), "Mar 4, 2031");
  await won.getByText("Mar 4, 2031").hover();
  await page
    .getByRole("tooltip")
    .getByText(/^Mar 4, 2031, \d+:00:00/)
    .waitFor();

  await page.mouse.move(0, 0);
  await page.getByRole("tooltip").waitFor({ state: "hidden" });

  const changed = entryOf("Updated", "Partner").first();
  await changed.getByRole("link", { name: "Pier Nine" }).waitFor();
  assert.equal(await fieldOf(changed, "Commission"), "from 5% to 7.5%");
  assert.equal(await fieldOf(changed, "Can submit leads"), "from Yes to No");

  const sent = entryOf("Submitted", "Partner lead").first();
  assert.equal(
    await sent.getByRole("link", { name: "Mara Lind" }).getAttribute("href"),
    `/review/${pushed.id}`,
  );
  assert.match(await fieldOf(sent, "Expires"), /^Mar 4, 2031/);
  assert.match(
    await fieldOf(sent, "Match preferences"),
    /^Min price 250,000 Contact times Day Monday$/,
  );
  assert.equal(await fieldOf(sent, "Partner"), "Pier Nine");
  const imported = entryOf("Imported", "Partner lead").first();
  await imported.getByRole("link", { name: "Mara Lind" }).nth(1).waitFor();
  assert.equal(
    await imported.getByRole("link", { name: "Mara Lind" }).nth(1).getAttribute("href"),
    `/leads/${String(lead["_id"])}`,
  );

  // Deleted records are marked and not linked.
  await deleted.getByText("Harbour Works").waitFor();
  assert.equal(await fieldOf(deleted, "About"), "Harbour Works");

  const text = await page.getByRole("list", { name: "Audit log" }).innerText();
  assert.doesNotMatch(text, /[{}[\]]|\b[a-z]+_[a-z]+|\b[0-9a-f]{24}\b|\b[12][0-9]{9}\b/, text);
  await assertAccessible(page);
});
