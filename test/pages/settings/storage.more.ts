/** A business's storage usage and limits, as shown to administrators. */

import assert from "node:assert/strict";
import test from "node:test";
import type { Page } from "playwright-core";
import { measure } from "../../api/writes/quota-kit.ts";
import { ok } from "../../api/samples.ts";
import { assertAccessible, startConsole } from "../../kit/console.ts";
import { eventually } from "../../kit/eventually.ts";

const region = (page: Page) => page.getByRole("region", { name: "Storage" });

test("storage is shown with its limits, a hint from 80% on, and an error at the limit", async (t) => {
  const pages = await startConsole(t);
  if (pages === undefined) return;
  const { api, client } = pages;
  const page = await pages.open("admin", "/settings/tenant");
  await page.getByRole("heading", { name: "General" }).waitFor();
  assert.equal(await region(page).count(), 0);

  const items = Array.from({ length: 500 }, (_, at) => ({ name: `Lead ${at}` }));
  await client.post("/crm/leads/batch", { items });
  const show = async (max_records: number, max_bytes: number) => {
    await api.sql`
      update tenants set max_records = ${max_records}, max_bytes = ${max_bytes}
       where id = ${client.tenantId}`;
    await measure(api.sql, client);
    // Callers are cached for a second. Updating the tenant's settings refreshes the cache.
    ok(await client.patch("/crm/admin/tenant", { currency: "USD" }));
    await page.reload();
    await region(page).waitFor();
    await assertAccessible(page);
    return region(page).innerText();
  };
  const plain = await show(1_000_000, 10 * 1024 ** 3);
  assert.match(plain, /500 of 1,000,000/);
  assert.match(plain, /[\d.]+ (?:kB|MB) of 10 GB/);
  assert.match(plain, /Measured \S/);
  assert.equal(await region(page).getByRole("progressbar").count(), 2);
  assert.equal(await region(page).getByRole("status").count(), 0);

  assert.match(await show(620, 0), /500 of 620[^]*Records: 80.6% of the limit used/);
  assert.doesNotMatch(await region(page).innerText(), /Space/);
  await show(500, 0);
  const alert = await region(page).getByRole("alert").innerText();
  assert.match(alert, /the limit has been reached[^]*No records can be added/);

  // Users see the error where they add a record.
  await eventually(
    async () => (await client.post("/crm/leads", { name: "Over" })).status,
    (status) => status === 403,
  );
  await page.goto(`${api.url}/leads/new`);
  await page.getByRole("textbox", { name: /^Name/ }).first().fill("Over");
  await page
    .getByRole("button", { name: /Create|Save/ })
    .last()
    .click();
  await page.getByText(/The tenant stores \d+ records; its quota is 500\./).waitFor();
});
