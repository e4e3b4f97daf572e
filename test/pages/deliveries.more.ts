/** Deliveries as an administrator follows them: how each attempt went, and sending one again. */

import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import test, { type TestContext } from "node:test";
import { ok } from "../api/samples.ts";
import { decide, partnerOf, reviewed } from "../exchange/exchange-kit.ts";
import { assertAccessible, startConsole } from "../kit/console.ts";

interface Receiver {
  readonly url: string;
  readonly answerWith: (status: number, body: string) => void;
  readonly count: () => number;
}

/** A system of the tenant's own that answers as it is told. */
async function startReceiver(t: TestContext): Promise<Receiver> {
  let told = { status: 500, body: "" };
  let count = 0;
  const server = createServer((request, answer) => {
    count += 1;
    request.resume();
    answer.writeHead(told.status).end(told.body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/leads`,
    answerWith: (status, body) => {
      told = { status, body };
    },
    count: () => count,
  };
}

test("a delivery tells what came back, and is sent again", async (t) => {
  const pages = await startConsole(t, { works: true });
  if (pages === undefined) return;
  const { client } = pages;
  const receiver = await startReceiver(t);
  const page = await pages.open("admin", "/deliveries");
  await page.getByRole("heading", { name: "Nothing was sent yet" }).waitFor();
  await assertAccessible(page);

  const headers = { "content-type": "application/json" };
  const webhook = { url: receiver.url, method: "POST", headers, body_template: '{"n":"{{name}}"}' };
  const settings = { ...webhook, enabled: true, timeout_s: 5 };
  ok(await client.put("/crm/admin/import_webhook", settings));
  const partner = await partnerOf(client);
  const lead = await partner.push({ name: "Ines Falk" });
  receiver.answerWith(410, '{"why":"moved away"}');
  ok(await decide(client, lead.id, "accept"));
  ok(await decide(client, lead.id, "import"));

  await page.reload();
  await page.getByRole("row", { name: /Imported lead Gone .* 1 410/ }).waitFor();
  await assertAccessible(page);
  await page.getByLabel("State").selectOption("Delivered");
  await page.getByRole("heading", { name: "No delivery is like that" }).waitFor();
  assert.equal(new URL(page.url()).searchParams.get("status"), "delivered");
  await page.getByLabel("State").selectOption("Gone");
  await page.getByRole("link", { name: "Imported lead" }).click();
  await page.getByRole("row", { name: /410 .*moved away/ }).waitFor();
  await assertAccessible(page);

  receiver.answerWith(200, '{"taken":true}');
  await page.getByRole("button", { name: "Send again" }).click();
  await page.getByText("It is sent again").waitFor();
  await page.getByRole("row", { name: /200 .*taken/ }).waitFor();
  await page.getByText("Delivered", { exact: true }).waitFor();
  assert.equal((await reviewed(client, lead.id)).status, "imported");

  // What was taken already is sent once more only when the person is sure.
  await page.getByRole("button", { name: "Send again" }).click();
  const dialog = page.getByRole("dialog", { name: "Send this again?" });
  await dialog.waitFor();
  await assertAccessible(page);
  const before = receiver.count();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await dialog.waitFor({ state: "detached" });
  assert.equal(receiver.count(), before);

  await page.getByRole("link", { name: "The pushed lead" }).click();
  await page.getByRole("heading", { name: "Ines Falk" }).waitFor();
  await page.getByText("Taken by your own system").waitFor();
  await page.getByRole("link", { name: /^Delivered, 2 attempts/ }).waitFor();
});

test("only administrators see deliveries", async (t) => {
  const pages = await startConsole(t);
  if (pages === undefined) return;
  const viewer = await pages.open("viewer", "/deliveries");
  await viewer.getByRole("heading", { name: "You may not see this" }).waitFor();
  const admin = await pages.open("admin", "/deliveries/none");
  await admin.getByRole("heading", { name: "There is nothing here" }).waitFor();
  await assertAccessible(admin);
});
