/** Settings → System: failed and slow requests for administrators, and the installation's state for its owners. */

import assert from "node:assert/strict";
import test from "node:test";
import { partnerOf } from "../../exchange/partner-kit.ts";
import { assertAccessible, startConsole } from "../../kit/console.ts";
import { eventually } from "../../kit/eventually.ts";

const NOBODY = "0".repeat(24);

test("an administrator sees failures by credential, and can refresh and filter them", async (t) => {
  const pages = await startConsole(t);
  if (pages === undefined) return;
  const { api, client } = pages;
  const page = await pages.open("admin", "/settings/system");
  const table = page.getByRole("table", { name: "Failed and slow requests" });
  const rows = table.getByRole("row").filter({ hasText: /[45]\d\d × \d/ });
  // On a busy machine, a request that prepared the test can already be listed as slow.
  await page
    .getByRole("heading", { name: "No failed or slow requests in the last hour" })
    .or(table)
    .waitFor();
  assert.equal(await rows.count(), 0);
  assert.equal(await page.getByRole("heading", { name: "Installation" }).count(), 0);
  await assertAccessible(page);

  const partner = await partnerOf(client, { allowed_marketing_sources: ["Google"] });
  await partner.post("/crm/partner/push", {});
  for (const _ of [1, 2, 3]) await client.get(`/crm/leads/${NOBODY}`);
  await client.post("/crm/leads", { name: 5 });
  await eventually(
    async () => {
      await page.getByRole("button", { name: "Refresh" }).click();
      return rows.count();
    },
    (count) => count === 3,
  );
  const first = await rows.first().innerText();
  assert.match(first, /Owner\s+Access token\s+GET \/crm\/leads\/:lead_id\s+3\s+404 × 3/);
  await assertAccessible(page);

  // On a busy machine, the partner's request can be slow, too.
  await api.sql`update request_outcomes set slow = 0 where tenant_id = ${client.tenantId}`;
  await page.getByRole("button", { name: "Refresh" }).click();
  await page.getByRole("combobox", { name: "Credential" }).click();
  await page.getByRole("option", { name: "Referrals Ltd" }).click();
  await eventually(
    () => rows.count(),
    (count) => count === 1,
  );
  assert.match(await rows.first().innerText(), /Partner\s+POST \/crm\/partner\/push\s+1\s+422 × 1/);
  assert.match(page.url(), /credential=/);
  await page.getByRole("combobox", { name: "Show" }).click();
  await page.getByRole("option", { name: "Slow" }).click();
  await page.getByRole("heading", { name: "No matching requests" }).waitFor();
  await page.reload();
  await page.getByRole("heading", { name: "No matching requests" }).waitFor();
  await assertAccessible(page);
  await page.getByRole("button", { name: "Clear filters" }).last().click();
  await eventually(
    () => rows.count(),
    (count) => count === 3,
  );
});

test("the first tenant's owner sees the installation, and at most 500 operations", async (t) => {
  const pages = await startConsole(t, { isAlone: true });
  if (pages === undefined) return;
  const { api, client } = pages;
  await api.sql`insert into first_tenant (tenant_id) values (${client.tenantId})`;
  await api.sql`
    insert into request_outcomes (tenant_id, minute_s, credential, method, route, status, requests,
                                  slow, total_ms, slowest_ms, last_ts)
    select ${client.tenantId}, now_s - 60, 'token ' || n, 'GET', '/crm/leads', 200, 1000, 1, 3000, 2345, now_s - 90
      from generate_series(1, 510) n, (select extract(epoch from now())::bigint as now_s) moment`;
  const slowRequests = async (): Promise<number> => {
    const [row] = await api.sql`
      select sum(slow)::int as slow from request_outcomes where tenant_id = ${client.tenantId}`;
    return row?.["slow"] as number;
  };
  const before = await slowRequests();
  const page = await pages.open("owner", "/settings/system");
  const card = page.getByRole("region", { name: "Installation" });
  await card.getByText("Ready").waitFor();
  const told = await card.innerText();
  assert.match(told, /Version\s+\d+\.\d+\.\d+, commit ([0-9a-f]{12}|unknown), schema \d+/);
  assert.match(told, /PostgreSQL \d+/);
  assert.match(told, /0 enabled, 0 disabled, 0 paused/);
  assert.match(told, /Import webhook deliveries\s+None pending/);
  const rows = page.getByRole("table", { name: "Failed and slow requests" }).getByRole("row");
  assert.equal(await rows.count(), 501);
  assert.match(await rows.nth(1).innerText(), /Deleted \(1\)[^]*2\.3 sec/);
  const unlisted = await page
    .getByText(/ are not listed because there are too many\.$/)
    .innerText();
  const slow = Number(/^0 failed and (\d+) slow requests/.exec(unlisted)?.[1]);
  // On a busy machine, requests of the test itself can be slow, too. They come after the 510, which are more frequent.
  assert.ok(slow >= before - 500 && slow <= (await slowRequests()) - 500, unlisted);
  await assertAccessible(page);
  // An administrator of the same tenant does not see the installation's state.
  const other = await pages.open("admin", "/settings/system");
  await other.getByRole("table", { name: "Failed and slow requests" }).waitFor();
  assert.equal(await other.getByRole("region", { name: "Installation" }).count(), 0);
});
