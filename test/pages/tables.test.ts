/** Tables of records, as people look through them, search, choose columns, and change many. */

import assert from "node:assert/strict";
import test from "node:test";
import { assertAccessible, startConsole } from "../kit/console.ts";

test("SHOTS", async (t) => {
  const pages = await startConsole(t);
  if (pages === undefined) return;
  const { client } = pages;
  for (let n = 0; n < 60; n += 1) {
    await client.post("/crm/leads", {
      name: `Person ${n} Example`,
      email: `p${n}@example.com`,
      phone: `(212) 555-01${String(n).padStart(2, "0")}`,
      status: ["open", "assigned", "contacted"][n % 3],
      source: "Google",
      tags: ["a", "longer tag"],
      employer_name: "Harbour Ltd",
    });
  }
  const page = await pages.open("owner", "/leads");
  await page.getByText("60 leads").waitFor();
  await page.screenshot({ path: "/tmp/shots/tables/leads.png" });
  await assertAccessible(page);
  assert.ok(true);
});
