/** The complete lead exchange, seen from both sides in two windows. */

import assert from "node:assert/strict";
import test from "node:test";
import { ok } from "../../api/samples.ts";
import { assertAccessible, startConsole } from "../../kit/console.ts";
import { eventually } from "../../kit/eventually.ts";

test("a partner is created, submits a lead that is reviewed, imported and won, and sees the earnings", async (t) => {
  const pages = await startConsole(t, { works: true });
  if (pages === undefined) return;

  // The owner creates a partner and shares the credentials, which are shown once.
  const owner = await pages.open("owner", "/partners/new");
  await owner.getByRole("textbox", { name: "Name" }).fill("Harbour Referrals");
  await owner.getByRole("combobox", { name: "Lead sources" }).click();
  await owner.getByRole("option", { name: "Referral" }).click();
  await owner.keyboard.press("Escape");
  await owner.getByRole("textbox", { name: "Commission rate" }).fill("7.5");
  await owner.getByRole("button", { name: "Create partner" }).click();
  await owner.getByRole("heading", { name: "Share these credentials" }).waitFor();
  const code = (await owner.getByRole("status").locator("pre").innerText()).trim();
  const [made] = ok(await pages.client.get("/crm/admin/partners")).body;
  const streamed = owner.waitForResponse((answer) => answer.url().includes("/stream"));
  await owner.goto(`${pages.api.url}/review`);
  await owner.getByRole("heading", { level: 1, name: "Review" }).waitFor();
  await streamed;

  // The partner enters a wrong code first and then signs in with the credentials.
  const partner = await pages.openAsNobody("/partner");
  await partner.getByRole("heading", { name: "Partner sign-in" }).waitFor();
  for (const typed of ["a wrong code", code]) {
    await partner.getByRole("textbox", { name: "Partner ID" }).fill(made.id as string);
    await partner.getByRole("textbox", { name: "Access code" }).fill(typed);
    await partner.getByRole("button", { name: "Sign in" }).click();
    if (typed !== code) await partner.getByText("Wrong Partner ID or access code.").waitFor();
  }
  await partner.getByRole("heading", { name: "No leads yet" }).waitFor();
  await assertAccessible(partner);

  // The partner submits a lead. It appears in the owner's window automatically, because the list there is empty.
  await partner.goto(`${pages.api.url}/partner/push`);
  await partner.getByLabel("Name", { exact: false }).first().fill("Ines Falk");
  await partner.getByLabel("Email").fill("ines.falk@example.com");
  await partner.getByRole("button", { name: "Submit lead" }).click();
  await partner.getByRole("heading", { name: "Lead submitted" }).waitFor();
  const detail = owner.getByRole("region", { name: "Partner lead" });
  await detail.getByRole("heading", { name: "Ines Falk" }).waitFor();

  // A single key press imports the lead. The decision is sent when the undo period ends or the user leaves the page.
  await owner.keyboard.press("i");
  await owner.getByRole("button", { name: /undo/i }).waitFor();
  await owner.getByRole("navigation", { name: "Main menu" }).getByText("Leads").click();
  const [lead] = await eventually(
    async () => ok(await pages.client.get("/crm/leads")).body.leads,
    (leads) => leads.length > 0,
  );
  assert.deepEqual([lead.name, lead.source, lead.partner_id], ["Ines Falk", "Referral", made.id]);

  // The lead is converted with a deal, and the deal is won.
  await owner.goto(`${pages.api.url}/leads/${lead._id}`);
  await owner.getByRole("button", { name: "Convert", exact: true }).click();
  const dialog = owner.getByRole("dialog");
  await dialog.getByLabel("Also create a deal").check();
  await dialog.getByLabel("Deal name").fill("A berth");
  await dialog.getByLabel("Value").fill("1200");
  await dialog.getByRole("button", { name: "Convert", exact: true }).click();
  await dialog.getByRole("link", { name: "Open deal" }).click();
  await owner.getByRole("heading", { level: 1, name: "A berth" }).waitFor();
  await owner.goto(`${pages.api.url}/board`);
  const card = owner.getByRole("button", { name: /A berth/ }).last();
  await card.waitFor();
  await card.click();
  await owner.getByRole("menuitem", { name: "Closed won" }).click();
  await owner.getByText(/You won A berth/).waitFor();

  // The partner sees the result and the earnings.
  await partner.goto(`${pages.api.url}/partner/pushed`);
  await partner.getByText("Imported").first().waitFor();
  await partner.goto(`${pages.api.url}/partner/analytics?range=all`);
  await partner.getByText("$90").first().waitFor();
  await assertAccessible(partner);
});
