/** Forms of settings that another user changes while they are open: saving sends only what the user changed. */

import assert from "node:assert/strict";
import test from "node:test";
import type { Page } from "playwright-core";
import { ok, type Body } from "../../api/samples.ts";
import type { Client } from "../../kit/api.ts";
import { startConsole } from "../../kit/console.ts";
import { eventually } from "../../kit/eventually.ts";

interface Edit {
  /** What another user changes while the form is open. */
  readonly others: Body;
  /** What the user of the form enters. */
  readonly label: string;
  readonly text: string;
  /** The settings after the user has saved the form. */
  readonly saved: Body;
}

interface Form {
  readonly settings: string;
  /** Returns the path of the form's page and the path of the settings in the API. */
  readonly open: (client: Client) => Promise<{ readonly page: string; readonly api: string }>;
  readonly method: "patch" | "put";
  readonly button: string;
  readonly edits: readonly Edit[];
}

const create = async (client: Client, path: string, body: Body): Promise<string> =>
  String((ok(await client.post(path, body)).body as Body)["id"]);

const CALLOUT = { url: "https://crm.example.com/leads", headers: {} };

const FORMS: readonly Form[] = [
  {
    settings: "a partner",
    open: async (client) => {
      const id = await create(client, "/crm/admin/partners", { name: "Pier Nine" });
      return { page: `/partners/${id}`, api: `/crm/admin/partners/${id}` };
    },
    method: "patch",
    button: "Save changes",
    edits: [
      {
        others: { status: "suspended", permissions: [], can_push: false },
        label: "Commission rate",
        text: "5",
        saved: { status: "suspended", permissions: [], can_push: false, commission_rate: 5 },
      },
      {
        others: { commission_rate: 7 },
        label: "Name",
        text: "Pier Ten",
        saved: { name: "Pier Ten", status: "suspended", commission_rate: 7 },
      },
    ],
  },
  {
    settings: "a webhook",
    open: async (client) => {
      const webhook = { url: "https://hooks.example.com/a", events: ["lead.created"] };
      const id = await create(client, "/crm/webhooks", webhook);
      return { page: `/settings/webhooks/${id}`, api: `/crm/webhooks/${id}` };
    },
    method: "patch",
    button: "Save changes",
    edits: [
      {
        others: { enabled: false },
        label: "Description",
        text: "Warehouse",
        saved: { enabled: false, description: "Warehouse" },
      },
      {
        others: { description: "Shop" },
        label: "URL",
        text: "https://hooks.example.com/b",
        saved: { enabled: false, description: "Shop", url: "https://hooks.example.com/b" },
      },
    ],
  },
  {
    settings: "the business",
    open: async () => ({ page: "/settings/tenant", api: "/crm/admin/tenant" }),
    method: "patch",
    button: "Save",
    edits: [
      {
        others: { currency: "EUR", on_duplicate: "reject" },
        label: "Name",
        text: "Harbour Ltd",
        saved: { name: "Harbour Ltd", currency: "EUR", on_duplicate: "reject" },
      },
    ],
  },
  {
    settings: "the retention periods",
    open: async () => ({ page: "/settings/privacy", api: "/crm/admin/privacy" }),
    method: "put",
    button: "Save",
    edits: [
      {
        others: { block_erased: true, audit_days: 400 },
        label: "Record history (days)",
        text: "90",
        saved: { block_erased: true, audit_days: 400, history_days: 90 },
      },
      {
        others: { block_erased: true, history_days: 120 },
        label: "Record history (days)",
        text: "100",
        saved: { block_erased: true, audit_days: null, history_days: 100 },
      },
    ],
  },
  {
    settings: "the import webhook",
    open: async (client) => {
      const api = "/crm/admin/import_webhook";
      ok(await client.put(api, { ...CALLOUT, enabled: true }));
      return { page: "/settings/integrations?tab=import_webhook", api };
    },
    method: "put",
    button: "Save",
    edits: [
      {
        others: { ...CALLOUT, enabled: false },
        label: "Timeout (1 to 30 seconds)",
        text: "7",
        saved: { enabled: false, timeout_s: 7 },
      },
    ],
  },
  {
    settings: "the duplicate check",
    open: async (client) => {
      const api = "/crm/admin/duplicate_check";
      ok(await client.put(api, { ...CALLOUT, enabled: true }));
      return { page: "/settings/integrations?tab=duplicate_check", api };
    },
    method: "put",
    button: "Save",
    edits: [
      {
        others: { ...CALLOUT, enabled: false, on_error: "own_records" },
        label: "Timeout (1 to 30 seconds)",
        text: "7",
        saved: { enabled: false, on_error: "own_records", timeout_s: 7 },
      },
    ],
  },
];

/** Saves the form, and waits until its response has been received. */
async function save(page: Page, method: string, button: string): Promise<void> {
  const response = page.waitForResponse((one) => one.request().method() === method.toUpperCase());
  await page.getByRole("button", { name: button, exact: true }).click();
  assert.equal((await response).status(), 200);
  await eventually(
    () => page.getByText("Unsaved changes").count(),
    (count) => count === 0,
  );
}

test("saving a form of settings keeps what another user changed", async (t) => {
  const pages = await startConsole(t);
  if (pages === undefined) return;
  const { client } = pages;
  const page = await pages.open("admin", "/profile");
  for (const { settings, open, method, button, edits } of FORMS) {
    const paths = await open(client);
    await page.goto(pages.api.url + paths.page);
    for (const { others, label, text, saved } of edits) {
      const input = page.getByRole("textbox", { name: label });
      await input.waitFor();
      ok(await client[method](paths.api, others));
      await input.fill(text);
      await save(page, method, button);
      const stored = ok(await client.get(paths.api)).body as Body;
      const found = Object.fromEntries(Object.keys(saved).map((name) => [name, stored[name]]));
      assert.deepEqual(found, saved, settings);
    }
  }
});

test("a form shows what another user changed after it was saved, and keeps input entered meanwhile", async (t) => {
  const pages = await startConsole(t);
  if (pages === undefined) return;
  const { client } = pages;
  const id = await create(client, "/crm/admin/partners", { name: "Pier Nine" });
  const page = await pages.open("admin", `/partners/${id}`);
  const rate = page.getByRole("textbox", { name: "Commission rate" });
  await rate.fill("5");
  ok(await client.patch(`/crm/admin/partners/${id}`, { status: "suspended" }));
  const held = Promise.withResolvers<void>();
  await page.route(`**/crm/admin/partners/${id}`, async (route) => {
    await held.promise;
    await route.continue();
  });
  const sent = page.waitForRequest((one) => one.method() === "PATCH");
  await page.getByRole("button", { name: "Save changes" }).click();
  assert.deepEqual((await sent).postDataJSON(), { commission_rate: 5 });
  await rate.fill("6");
  held.resolve();
  await page.locator("input[type=radio][value=suspended]:checked").waitFor();
  assert.equal(await rate.inputValue(), "6 %");
  await page.getByText("Unsaved changes").waitFor();
  await save(page, "patch", "Save changes");
  const stored = ok(await client.get(`/crm/admin/partners/${id}`)).body as Body;
  assert.deepEqual([stored["status"], stored["commission_rate"]], ["suspended", 6]);
});
