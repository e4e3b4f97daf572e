/** Deliveries for administrators: attempts, results and resending. */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import test from "node:test";
import { promisify } from "node:util";
import { ok, type Body } from "../../api/samples.ts";
import { startReceiver, status } from "../../delivery/receiver.ts";
import { makeDelivery } from "../../delivery/stored.ts";
import { makeWebhook } from "../../events/event-kit.ts";
import { decide, partnerOf, reviewed } from "../../exchange/exchange-kit.ts";
import type { Client } from "../../kit/api.ts";
import { assertAccessible, startConsole } from "../../kit/console.ts";
import { eventually } from "../../kit/eventually.ts";

const DELIVERIES = "/crm/admin/deliveries";
const run = promisify(execFile);

/** Waits until a tenant has exactly `count` deliveries with a status. */
const settled = (client: Client, state: string, count: number) =>
  eventually(
    async () => ok(await client.get(DELIVERIES, { status: state })).body as Body[],
    ({ length }) => length === count,
  );

test("a delivery shows the response, and is resent", async (t) => {
  const pages = await startConsole(t, { works: true });
  if (pages === undefined) return;
  const { client } = pages;
  const receiver = await startReceiver(t);
  const page = await pages.open("admin", "/deliveries");
  await page.getByRole("heading", { name: "No deliveries yet" }).waitFor();
  await page.getByRole("link", { name: "Create webhook" }).waitFor();
  await assertAccessible(page);

  const headers = { "content-type": "application/json" };
  const webhook = { url: receiver.url, method: "POST", headers, body_template: '{"n":"{{name}}"}' };
  const settings = { ...webhook, enabled: true, timeout_s: 5 };
  ok(await client.put("/crm/admin/import_webhook", settings));
  const partner = await partnerOf(client);
  const lead = await partner.push({ name: "Ines Falk" });
  receiver.respond = status(410, {}, '{"why":"moved away"}');
  ok(await decide(client, lead.id, "accept"));
  ok(await decide(client, lead.id, "import"));

  // The list is not refreshed, so it shows the attempt only if it is loaded later.
  await settled(client, "gone", 1);
  await page.reload();
  await page
    .getByRole("row", { name: /lead\.imported Endpoint gone Import webhook.* Ines Falk.* 1 410/ })
    .waitFor();
  await assertAccessible(page);
  await page.getByLabel("Status").selectOption("Delivered");
  await page.getByRole("heading", { name: "No matching deliveries" }).waitFor();
  assert.equal(new URL(page.url()).searchParams.get("status"), "delivered");
  await page.getByLabel("Status").selectOption("Endpoint gone");
  await page.getByRole("link", { name: "lead.imported" }).click();
  await page.getByRole("button", { name: /^Attempt 1 410/ }).waitFor();
  await page.getByText('"why": "moved away"').waitFor();
  await assertAccessible(page);

  receiver.respond = status(200, {}, '{"taken":true}');
  await page.getByRole("button", { name: "Resend" }).click();
  await page.getByText("Queued for resending").waitFor();
  await page.getByRole("button", { name: /^Attempt 2 200/ }).waitFor();
  await page.getByText('"taken": true').waitFor();
  await page.locator("dd").getByText("Delivered", { exact: true }).waitFor();
  assert.equal((await reviewed(client, lead.id)).status, "imported");

  // Resending an accepted delivery requires confirmation.
  await page.getByRole("button", { name: "Resend" }).click();
  const dialog = page.getByRole("dialog", { name: "Resend this delivery?" });
  await dialog.waitFor();
  await assertAccessible(page);
  const before = receiver.received.length;
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await dialog.waitFor({ state: "detached" });
  assert.equal(receiver.received.length, before);

  await page.getByRole("link", { name: "Ines Falk" }).click();
  await page.getByRole("heading", { name: "Ines Falk" }).waitFor();
  await page.getByText("Sent to your own system").waitFor();
  await page.getByRole("link", { name: /^Delivered, 2 attempts/ }).waitFor();
});

test("only administrators see deliveries", async (t) => {
  const pages = await startConsole(t);
  if (pages === undefined) return;
  const viewer = await pages.open("viewer", "/deliveries");
  await viewer.getByRole("heading", { name: "No access" }).waitFor();
  const admin = await pages.open("admin", "/deliveries/none");
  await admin.getByRole("heading", { name: "Page not found" }).waitFor();
  await assertAccessible(admin);
});

test("the list shows event, webhook and record, and can be filtered by each", async (t) => {
  const pages = await startConsole(t, { works: true });
  if (pages === undefined) return;
  const { client } = pages;
  const receiver = await startReceiver(t);
  const url = `${receiver.url}/${"long/".repeat(60)}`;
  const sync = await makeWebhook(client, { url, events: ["lead.*"], description: "Sync" });
  const other = { url: `${receiver.url}/tasks`, events: ["task.created"] };
  await makeWebhook(client, other);
  const lead = ok(await client.post("/crm/leads", { name: "Mara Lind" })).body;
  await settled(client, "delivered", 1);
  ok(await client.post("/crm/tasks", { name: "Call" }));
  await settled(client, "delivered", 2);

  const page = await pages.open("admin", "/deliveries");
  const rows = page.getByRole("row").filter({ hasText: "Delivered" });
  await page
    .getByRole("row", { name: /lead\.created Delivered Sync .*Mara Lind Lead 1 204/ })
    .waitFor();
  await page
    .getByRole("row", { name: /task\.created Delivered .*\/tasks Call Task 1 204/ })
    .waitFor();
  await assertAccessible(page);
  const reads = async (count: number) =>
    eventually(
      () => rows.count(),
      (seen) => seen === count,
    );
  await page.getByLabel("Event").selectOption("lead.created");
  await reads(1);
  await page.getByLabel("Event").selectOption("lead.deleted");
  await page.getByRole("heading", { name: "No matching deliveries" }).waitFor();
  await page.getByLabel("Event").selectOption("Any");
  await reads(2);
  await page.getByLabel("Webhook").selectOption("Sync");
  await reads(1);
  assert.equal(new URL(page.url()).searchParams.get("webhook_id"), sync.id);
  await page.getByRole("link", { name: "lead.created" }).click();
  await page.getByRole("link", { name: "View all deliveries for this record" }).click();
  await reads(1);
  await page.getByRole("button", { name: "Show deliveries for all records" }).click();
  await reads(2);
  await page.getByRole("link", { name: "Mara Lind" }).click();
  await page.getByRole("heading", { name: "Mara Lind", level: 1 }).waitFor();
  assert.ok(page.url().endsWith(`/leads/${lead._id}`));
  await page.goBack();
  await page.getByRole("link", { name: "Sync" }).click();
  await page.getByText("100% of 1 succeeded").waitFor();
  await page.getByRole("link", { name: "View all" }).click();
  await reads(1);
});

test("an attempt shows its request with masked secrets and copies it as curl", async (t) => {
  const pages = await startConsole(t, { works: true });
  if (pages === undefined) return;
  const { client } = pages;
  const receiver = await startReceiver(t);
  receiver.respond = status(410, { "x-node": "seven" }, "<b>busy</b>");
  const secret = "Bearer very-secret";
  const body_template = `{"note": "It's \\"100%\\"", "name": {{name}}}`;
  const webhook = { url: receiver.url, enabled: true, headers: { Authorization: secret } };
  ok(await client.put("/crm/admin/import_webhook", { ...webhook, body_template }));
  const partner = await partnerOf(client);
  const lead = await partner.push({ name: "Ines 'Ida' Falk" });
  ok(await decide(client, lead.id, "accept"));
  ok(await decide(client, lead.id, "import"));
  const [delivery] = await settled(client, "gone", 1);
  const page = await pages.open("admin", `/deliveries/${String(delivery?.["id"])}`);
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.getByRole("row", { name: "authorization ***" }).waitFor();
  await page.getByRole("row", { name: /^webhook-id / }).waitFor();
  await page.getByRole("row", { name: "x-node seven" }).waitFor();
  await page.getByText("<b>busy</b>").waitFor();
  const shown = page.locator("pre").filter({ hasText: '"note"' });
  assert.match(await shown.innerText(), /^\{\n {2}"note": /);
  await page.getByText("As sent", { exact: true }).click();
  const [sent] = receiver.received;
  assert.equal(await shown.innerText(), sent?.body);
  assert.ok(!(await page.content()).includes("very-secret"));
  await assertAccessible(page);

  await page.getByRole("button", { name: "Copy as curl" }).click();
  // The page writes to the clipboard after the click.
  const command = await eventually(
    () => page.evaluate<string>("navigator.clipboard.readText()"),
    (text) => text.startsWith("curl "),
  );
  assert.ok(!command.includes("very-secret"));
  await run("sh", ["-c", command.replace("curl ", "curl --silent ")]);
  const isPasted = ({ headers }: (typeof receiver.received)[number]) =>
    headers.authorization === "<Authorization>";
  const pasted = receiver.received.find(isPasted);
  assert.equal(pasted?.body, sent?.body);
  assert.equal(pasted?.headers["webhook-id"], delivery?.["id"]);
  await page.setViewportSize({ width: 390, height: 844 });
  await eventually(
    () =>
      page.evaluate<number>(
        "document.documentElement.scrollWidth - document.documentElement.clientWidth",
      ),
    (beyond_px) => beyond_px === 0,
  );
});

test("selected deliveries can be resent, and so can all failed ones", async (t) => {
  const pages = await startConsole(t, { works: true });
  if (pages === undefined) return;
  const { api, client } = pages;
  const receiver = await startReceiver(t);
  receiver.respond = status(410);
  const events = ["task.created"];
  const webhook = await makeWebhook(client, { url: receiver.url, events });
  // The first 410 pauses the webhook, so all deliveries are queued together. The other deliveries may end without being
  // attempted.
  const items = ["Call", "Write", "Visit"].map((name) => ({ name }));
  assert.ok((await client.post("/crm/tasks/batch", { items })).status < 300);
  const isEnded = async () => {
    const all = ok(await client.get(DELIVERIES)).body as Body[];
    return all.filter((one) => one["status"] !== "pending").length;
  };
  await eventually(isEnded, (count) => count === 3);
  receiver.respond = status(204);
  ok(await client.patch(`/crm/webhooks/${webhook.id}`, { enabled: true }));

  const page = await pages.open("admin", "/deliveries");
  await page.getByRole("checkbox", { name: "Select all loaded deliveries" }).check();
  await page.getByText("3 selected").waitFor();
  await page
    .getByRole("checkbox", { name: /^Select task\.created/ })
    .first()
    .uncheck();
  await page.getByText("2 selected").waitFor();
  await page.getByRole("button", { name: "Resend selected" }).click();
  const dialog = page.getByRole("dialog", { name: "Resend 2 deliveries?" });
  await dialog.waitFor();
  await assertAccessible(page);
  await dialog.getByRole("button", { name: "Resend" }).click();
  await page.getByText("2 queued for resending").waitFor();
  await settled(client, "delivered", 2);

  // Create two failed deliveries, and a pending delivery for the record of one of the failed deliveries. The worker must
  // not attempt it during the test.
  const about = {
    topic: "event",
    subject_id: `${webhook.id}.x.task.created`,
    event: "task.created",
  };
  await makeDelivery(api.sql, client.tenantId, about);
  const twin = { topic: "lead.imported", subject_id: "s", event: "lead.imported" };
  await makeDelivery(api.sql, client.tenantId, twin);
  const later_s = Math.floor(Date.now() / 1000) + 3600;
  await makeDelivery(api.sql, client.tenantId, { ...twin, status: "pending", at_s: later_s });
  await page.getByLabel("Status").selectOption("Failed");
  await page.getByRole("button", { name: "Resend all failed" }).click();
  const all = page.getByRole("dialog", { name: "Resend all failed deliveries?" });
  await all.getByRole("button", { name: "Resend" }).click();
  await all.getByText("1 not resent").waitFor();
  await all.getByText(/Another delivery of the same event or lead is still pending/).waitFor();
  await assertAccessible(page);
  await all.getByRole("button", { name: "Close" }).last().click();
  const audit = ok(await client.get("/crm/admin/audit", { subject_type: "delivery" })).body;
  assert.ok((audit as Body[]).every(({ action }) => action === "resent"));
});

test("the list of webhooks shows the health of each", async (t) => {
  const pages = await startConsole(t, { works: true });
  if (pages === undefined) return;
  const { client } = pages;
  const receiver = await startReceiver(t);
  receiver.respond = status(500);
  const failing = { url: `${receiver.url}/failing`, events: ["task.created"] };
  await makeWebhook(client, failing);
  const idle = { url: `${receiver.url}/idle`, events: ["deal.created"], enabled: false };
  await makeWebhook(client, idle);
  await makeWebhook(client, { ...idle, url: `${receiver.url}/new`, enabled: true });
  ok(await client.post("/crm/tasks", { name: "Call" }));
  await eventually(
    async () => ok(await client.get("/crm/webhooks/health")).body as Body[],
    (all) => all.some((one) => one["last_failure"] !== null),
  );
  const page = await pages.open("admin", "/settings/webhooks");
  await page
    .getByRole("row", { name: /failing .* 0% of 1 succeeded Last failure .*: 500/ })
    .waitFor();
  await page.getByRole("row", { name: /idle .* Paused/ }).waitFor();
  await page.getByRole("row", { name: /new .* Nothing sent in the last 7 days/ }).waitFor();
  await assertAccessible(page);
  await page.getByRole("link", { name: /^Last failure/ }).click();
  await page.getByRole("button", { name: /^Attempt 1 500/ }).waitFor();
});
