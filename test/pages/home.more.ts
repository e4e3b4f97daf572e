/** The first page: what to do, and how business is going. */

import assert from "node:assert/strict";
import test from "node:test";
import { ok } from "../api/samples.ts";
import { assertAccessible, startConsole } from "../kit/console.ts";

test("a new business is shown the first steps", async (t) => {
  const pages = await startConsole(t);
  if (pages === undefined) return;
  const page = await pages.open("agent");
  await page.getByRole("heading", { name: "Get started" }).waitFor();
  assert.equal(
    await page.getByRole("link", { name: "Import a file" }).getAttribute("href"),
    "/imports/new",
  );
  assert.equal(await page.getByRole("heading", { name: "Partner leads" }).count(), 0);
  await assertAccessible(page);
});

test("charts tell what the records say, as tables too", async (t) => {
  const pages = await startConsole(t);
  if (pages === undefined) return;
  const { client } = pages;
  for (const source of ["Google", "Google", "Referral"]) {
    ok(await client.post("/crm/leads", { name: "Somebody New", source }));
  }
  const account = ok(await client.post("/crm/accounts", { name: "Quay Works" })).body._id;
  const deal = { name: "Cranes", account_id: account, value_of_sale: 1200.5 };
  ok(await client.post("/crm/opportunities", { ...deal, stage: "negotiation_review" }));
  ok(await client.post("/crm/opportunities", { ...deal, stage: "closed_won" }));
  ok(
    await client.post("/crm/tasks", {
      name: "Ring back",
      due_date: 1_700_000_000,
      userid: client.personId,
    }),
  );
  const page = await pages.open("owner");
  await page.getByRole("link", { name: "Ring back" }).waitFor();
  await page.getByText("overdue").waitFor();
  await page.getByText("No leads to review").waitFor();
  for (const title of ["New leads by source", "Open deals by stage", "Won"]) {
    const figure = page.getByRole("region", { name: title, exact: true });
    await figure.getByRole("img").waitFor();
    await figure.getByText("Table").click();
    await figure.getByRole("table").waitFor();
  }
  assert.equal(await page.getByText("1 deal · $1,200.50").count(), 2);
  const leads = page.getByRole("table", { name: "New leads by source" });
  assert.deepEqual(await leads.getByRole("row").first().getByRole("columnheader").allInnerTexts(), [
    "Period",
    "Google",
    "Referral",
  ]);
  assert.deepEqual(
    (await leads.getByRole("row").last().getByRole("cell").allInnerTexts()).slice(1),
    ["2", "1"],
  );
  const won = page.getByRole("table", { name: "Won" });
  assert.match(
    (await won.getByRole("row").last().innerText()).replaceAll(/\s/g, " "),
    /1 \$1,200\.5/,
  );
  await page.getByText("7 days").click();
  await page.waitForURL(/range=week/);
  await won.waitFor();
  assert.equal(await won.getByRole("row").count(), 8);
  await assertAccessible(page);
});
