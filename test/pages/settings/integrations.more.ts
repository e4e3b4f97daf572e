/** Access tokens, the import webhook and the duplicate check in the console. */

import assert from "node:assert/strict";
import test from "node:test";
import { startReceiver } from "../../delivery/receiver.ts";
import { assertAccessible, startConsole } from "../../kit/console.ts";

test("a token works after it is created and until it is revoked", async (t) => {
  const pages = await startConsole(t);
  if (pages === undefined) return;
  const { client } = pages;
  const page = await pages.open("admin", "/settings");
  await page.getByRole("button", { name: "Create token" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "Name" }).fill("Website form");
  assert.ok(await dialog.getByRole("checkbox", { name: /social security/ }).isDisabled());
  await dialog.getByRole("checkbox", { name: "Write records" }).check();
  await dialog.getByRole("textbox", { name: "Allowed IP addresses" }).fill("10.0.0.0/33");
  await dialog.getByRole("button", { name: "Create token" }).click();
  await dialog.getByText("Not an IP address or range: 10.0.0.0/33").waitFor();
  await assertAccessible(page);
  await dialog.getByRole("textbox", { name: "Allowed IP addresses" }).fill("127.0.0.1");
  await dialog.getByRole("combobox", { name: "Expiration" }).click();
  await page.getByRole("option", { name: "After 30 days" }).click();
  await dialog.getByRole("button", { name: "Create token" }).click();
  const token = (await dialog.getByRole("status").locator("pre").innerText()).trim();
  await assertAccessible(page);
  const use = async () => {
    const headers = { authorization: `Bearer ${token}` };
    return (await client.request({ method: "GET", path: "/crm/leads", headers })).status;
  };
  assert.equal(await use(), 200);
  const [made] = (await client.get("/crm/admin/access_tokens")).body;
  assert.deepEqual(made.permissions, ["records:read", "records:write"]);
  assert.equal(Math.round((made.expires_ts - made.created_ts) / 86_400), 30);
  await dialog.getByRole("button", { name: "Done" }).click();

  await page.getByRole("button", { name: "Edit Website form" }).click();
  await dialog.getByRole("textbox", { name: "Name" }).fill("Landing page");
  await dialog.getByRole("textbox", { name: "Requests per minute" }).fill("30");
  await dialog.getByRole("button", { name: "Save" }).click();
  const row = page.getByRole("row", { name: /Landing page/ });
  await row.getByRole("cell", { name: "30", exact: true }).waitFor();
  await assertAccessible(page);

  await row.getByRole("button", { name: "Revoke" }).click();
  await dialog.getByRole("button", { name: "Revoke" }).click();
  await row.waitFor({ state: "detached" });
  assert.equal(await use(), 401);
});

test("a token's owner is an existing user, or announced as a new one", async (t) => {
  const pages = await startConsole(t);
  if (pages === undefined) return;
  const page = await pages.open("admin", "/settings");
  await page.getByRole("button", { name: "Create token" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "Name" }).fill("Website form");
  await dialog.getByText("Leadport then creates a user who cannot sign in").waitFor();
  const owner = dialog.getByRole("combobox", { name: "Owner" });
  const announced = dialog.getByText("will be created as a user who cannot sign in.");
  await owner.fill("Pat");
  await dialog.getByText("“Pat” will be created as a user who cannot sign in.").waitFor();
  await page.getByRole("option", { name: "Pat admin" }).waitFor();
  // Enter closes the suggestions and keeps the text. An arrow key selects a suggestion.
  await owner.press("Enter");
  await page.getByRole("option", { name: "Pat admin" }).waitFor({ state: "hidden" });
  assert.equal(await owner.inputValue(), "Pat");
  await assertAccessible(page);
  await owner.press("ArrowDown");
  await owner.press("Enter");
  assert.equal(await owner.inputValue(), "Pat admin");
  assert.equal(await announced.count(), 0);
  await owner.fill("bob");
  await announced.waitFor();
  await dialog.getByRole("button", { name: "Create token" }).click();
  await dialog.getByRole("button", { name: "Done" }).click();
  await page.getByRole("cell", { name: "bob", exact: true }).waitFor();
});

test("an import webhook is previewed, saved, tested and signed", async (t) => {
  const pages = await startConsole(t);
  if (pages === undefined) return;
  const receiver = await startReceiver(t);
  receiver.respond = (response) => void response.writeHead(202).end("taken");
  const page = await pages.open("admin", "/settings/integrations?tab=import_webhook");
  const test = page.getByRole("button", { name: "Send test" });
  await page.getByText("Save a URL to send a test").waitFor();
  const address = page.getByRole("textbox", { name: "URL" });
  await address.fill("ftp://hooks.example.com");
  await page
    .getByText(/must look like https/)
    .first()
    .waitFor();
  await address.fill(`${receiver.url}/leads`);

  const body = page.getByRole("textbox", { name: "Body" });
  await body.fill('{"lead": "');
  await page
    .getByText(/the content type is JSON, but this does not render to valid JSON/)
    .waitFor();
  await assertAccessible(page);
  await page.getByRole("button", { name: "Insert {{name}}" }).click();
  assert.equal(await body.inputValue(), '{"lead": "{{name}}');
  // The focus returns with the next frame.
  await page.locator("textarea:focus").waitFor();
  await page.keyboard.type('"}');
  await page.getByText('{"lead": "Leadport test"}').waitFor();
  await body.fill('{"lead": "{{nam}}"}');
  await page.getByText("Unknown placeholder: {{nam}}").waitFor();
  await body.fill('{"lead": "{{name}}"}');

  await page.getByRole("button", { name: "Add header" }).click();
  await page.getByRole("textbox", { name: "Name of header 1" }).fill("X-Api-Key");
  await page.getByRole("textbox", { name: "Value of header 1" }).fill("s3cret");
  await page.getByRole("switch", { name: "Enabled" }).check();
  await page.getByText("X-Api-Key: ***").waitFor();
  await page.getByText("Save your changes first").waitFor();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByPlaceholder("Stored, not shown").waitFor();

  await page.getByRole("button", { name: "Create secret" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Create secret" }).click();
  await page.getByText("Copy this now").waitFor();
  await test.click();
  await page.getByText(/Response 202 after \d+ ms/).waitFor();
  await page.getByText("taken", { exact: true }).waitFor();
  await assertAccessible(page);
  const [sent] = receiver.received;
  assert.equal(sent?.body, '{"lead": "Leadport test"}');
  assert.equal(sent?.headers["x-api-key"], "s3cret");
  assert.match(String(sent?.headers["webhook-signature"]), /^v1,/);

  // Stored header values are kept although they are not shown.
  await page.getByRole("combobox", { name: "Method" }).click();
  await page.getByRole("option", { name: "PUT" }).click();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Unsaved changes").waitFor({ state: "detached" });
  await test.click();
  await page
    .getByText(/PUT http/)
    .nth(1)
    .waitFor();
  assert.equal(receiver.received[1]?.headers["x-api-key"], "s3cret");
});

test("a test of the duplicate check shows how the response was interpreted", async (t) => {
  const pages = await startConsole(t);
  if (pages === undefined) return;
  const receiver = await startReceiver(t);
  const answer = JSON.stringify({ hits: [{ name: "Ines Falk", recent: 1 }] });
  receiver.respond = (response) =>
    void response.writeHead(200, { "content-type": "application/json" }).end(answer);
  const page = await pages.open("admin", "/settings/integrations?tab=duplicate_check");
  await page.getByRole("textbox", { name: "URL" }).fill(receiver.url);
  const exists = page.getByRole("textbox", { name: "Person exists" });
  await exists.fill("hits");
  await page.getByText(/a JSON Pointer \(RFC 6901\), such as/).waitFor();
  await exists.fill("/hits");
  await page.getByRole("textbox", { name: "Name", exact: true }).fill("/hits/0/name");
  await page.getByRole("textbox", { name: "Recently active" }).fill("/hits/0/recent");
  await page.getByRole("radio", { name: "Search this CRM instead" }).check();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Unsaved changes").waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Send test" }).click();
  await page.getByText("Name: Ines Falk").waitFor();
  await page.getByText("Recently active").nth(1).waitFor();
  await assertAccessible(page);
  const { body } = await pages.client.get("/crm/admin/duplicate_check");
  assert.deepEqual(
    [body.enabled, body.exists_pointer, body.on_error],
    [false, "/hits", "own_records"],
  );
});

test("a URL of this machine fails with the name of the setting that allows it", async (t) => {
  const pages = await startConsole(t, { outgoingAllow: [] });
  if (pages === undefined) return;
  const page = await pages.open("admin", "/settings/integrations?tab=import_webhook");
  const address = page.getByRole("textbox", { name: "URL" });
  await address.fill("http://localhost:3000/leads");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page
    .getByText(
      "to allow localhost, add it to the environment variable OUTGOING_ALLOW and restart the service",
    )
    .waitFor();
  assert.equal(await address.getAttribute("aria-invalid"), "true");
  await assertAccessible(page);
});
