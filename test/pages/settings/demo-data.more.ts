/** Demo data in the browser: load it on an empty Home page, open it through its link, and remove it in the settings. */

import assert from "node:assert/strict";
import test from "node:test";
import { SMALL } from "../../demo/demo-kit.ts";
import { PASSWORD } from "../../people/people-kit.ts";
import { assertAccessible, startConsole } from "../../kit/console.ts";

const PATIENCE = { timeout: 120_000 } as const;

test("an owner of the first business loads demo data, opens it, and removes it", async (t) => {
  const pages = await startConsole(t, { works: true });
  if (pages === undefined) return;
  const { api, client } = pages;
  await api.sql`insert into first_tenant (tenant_id) values (${client.tenantId})`;
  const page = await pages.open("owner");
  const section = page.getByRole("region", { name: "Demo data" });
  const load = section.getByRole("button", { name: "Load demo data" });
  await load.waitFor();
  await assertAccessible(page);

  // A smaller demo business, to keep the test fast. The page learns that it is ready only after showing the progress.
  const shownProgress = Promise.withResolvers<void>();
  await page.route("**/crm/admin/demo", async (route) => {
    if (route.request().method() === "POST") {
      return route.continue({ postData: JSON.stringify(SMALL) });
    }
    await shownProgress.promise;
    return route.continue();
  });
  await load.click();
  // At 0%, the bar has no width.
  await section
    .getByRole("progressbar", { name: "Demo data loading progress" })
    .waitFor({ state: "attached" });
  await section.getByText(/^Loading demo data: \d/).waitFor();
  shownProgress.resolve();
  const open = section.getByRole("button", { name: "Open demo business" });
  await open.waitFor(PATIENCE);
  await section.getByText("“Demo Brightfield Solar” is ready.").waitFor();
  await assertAccessible(page);

  await open.click();
  await page.getByText("Demo Brightfield Solar").first().waitFor();
  await page.locator("input[type=password]").fill(PASSWORD);
  await page.keyboard.press("Enter");
  const account = page.getByRole("banner").getByRole("button", { name: /Demo/ });
  await account.waitFor();
  assert.match(await account.innerText(), /Demo Brightfield Solar\s+Demo$/);
  // The demo business has leads, so its Home page does not offer demo data.
  await page.getByRole("region", { name: "New leads by source" }).waitFor();
  assert.equal(await section.count(), 0);
  await page.setViewportSize({ width: 390, height: 844 });
  assert.equal(await account.getByText("Demo", { exact: true }).isVisible(), true);
  await page.setViewportSize({ width: 1440, height: 900 });
  await assertAccessible(page);

  const settings = await pages.open("owner", "/settings/system");
  const shown = settings.getByRole("region", { name: "Demo data" });
  await shown.getByText("You are an owner of “Demo Brightfield Solar”.").waitFor();
  await assertAccessible(settings);
  await shown.getByRole("button", { name: "Remove demo data" }).click();
  const dialog = settings.getByRole("dialog", { name: "Remove the demo data?" });
  await dialog.getByRole("button", { name: "Remove demo data" }).click();
  await shown.getByRole("button", { name: "Load demo data" }).waitFor(PATIENCE);
  assert.equal((await api.sql`select from tenants where is_demo`).count, 0);
});

test("other users are not offered demo data", async (t) => {
  const pages = await startConsole(t, { isAlone: true });
  if (pages === undefined) return;
  const { api, client } = pages;
  const demo = (page: Awaited<ReturnType<typeof pages.open>>) =>
    page.getByRole("region", { name: "Demo data" });
  // An owner of another business does not see the demo data section.
  const stranger = await pages.open("owner");
  await stranger.getByRole("heading", { name: "Get started" }).waitFor();
  await stranger.waitForLoadState("networkidle");
  assert.equal(await demo(stranger).count(), 0);
  await api.sql`insert into first_tenant (tenant_id) values (${client.tenantId})`;
  for (const role of ["admin", "agent"] as const) {
    const page = await pages.open(role);
    await page.getByRole("heading", { name: /^Hello/ }).waitFor();
    await page.waitForLoadState("networkidle");
    assert.equal(await demo(page).count(), 0, role);
  }
  // The Home page of a business that is already in use does not offer demo data.
  await client.post("/crm/leads", { name: "Someone New" });
  const busy = await pages.open("owner");
  await busy.getByRole("region", { name: "New leads by source" }).waitFor();
  await busy.waitForLoadState("networkidle");
  assert.equal(await demo(busy).count(), 0);
});
