/**
 * Takes a small picture of each page at 1440 and 390 px into docs/screens/: `npm run screens`. The service
 * is real, its records are invented.
 */

import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import test from "node:test";
import type { Page } from "playwright-core";
import { ok } from "./api/samples.ts";
import { partnerOf } from "./exchange/exchange-kit.ts";
import { startConsole, type ConsoleTest } from "./kit/console.ts";

const ROOT = join(import.meta.dirname, "..");
const FOLDER = join(ROOT, "docs/screens");

const SIZES = [
  { width: 1440, height: 900, scale: 0.5 },
  { width: 390, height: 844, scale: 0.6 },
] as const;

type Partner = Awaited<ReturnType<typeof partnerOf>>;

test("pictures of every page", async (t) => {
  const pages = await startConsole(t, { works: true });
  if (pages === undefined) return;
  await rm(FOLDER, { recursive: true, force: true });
  await mkdir(FOLDER, { recursive: true });
  const { partner, leadId } = await fill(pages);
  const [pushed] = ok(
    await pages.client.get("/crm/admin/pushed_leads", { status: "pending" }),
  ).body;
  const nobody = await pages.openAsNobody("/sign-in");
  await take(nobody, "sign-in", "/sign-in");
  const owner = await pages.open("owner");
  const shown: Readonly<Record<string, string>> = {
    home: "/",
    leads: "/leads",
    lead: `/leads/${leadId}`,
    "new-deal": "/deals/new",
    board: "/board",
    tasks: "/tasks",
    imports: "/imports",
    "new-import": "/imports/new",
    review: `/review/${pushed.id}`,
    partners: "/partners",
    partner: `/partners/${partner.partner_id}`,
    deliveries: "/deliveries",
    people: "/settings/people",
    integrations: "/settings/integrations",
    webhooks: "/settings/webhooks",
    audit: "/settings/audit",
    business: "/settings/tenant",
    profile: "/profile",
  };
  for (const [name, path] of Object.entries(shown)) await take(owner, name, path);
  const portal = await pages.openPartner(partner.token);
  const ofPortal: Readonly<Record<string, string>> = {
    overview: "/partner",
    "look-up": "/partner/look-up",
    push: "/partner/push",
    file: "/partner/push-file",
    pushed: "/partner/pushed",
    people: "/partner/people",
    analytics: "/partner/analytics",
    api: "/partner/api",
  };
  for (const [name, path] of Object.entries(ofPortal)) await take(portal, `portal-${name}`, path);
});

/** A page at each size, when it has come to rest. */
async function take(page: Page, name: string, path: string): Promise<void> {
  await page.goto(new URL(path, page.url()).href);
  for (const { width, height, scale } of SIZES) {
    await page.setViewportSize({ width, height });
    await page.locator("h1").first().waitFor();
    await page.waitForTimeout(1500);
    const session = await page.context().newCDPSession(page);
    const { data } = await session.send("Page.captureScreenshot", {
      format: "webp",
      quality: 70,
      clip: { x: 0, y: 0, width, height, scale },
    });
    await session.detach();
    await writeFile(join(FOLDER, `${name}-${width}.webp`), Buffer.from(data, "base64"));
  }
}

/** A business in the middle of its work. */
async function fill({ client }: ConsoleTest): Promise<{ partner: Partner; leadId: string }> {
  const post = async (path: string, body: unknown) => ok(await client.post(path, body)).body;
  const sources = ["Google", "Referral", "Linkedin", "Google", "Incoming-Call", "Google", "Yelp"];
  const statuses = ["open", "assigned", "contacted", "meeting-setup", "attempted"];
  const people = ["Mara Lind", "Jonas Berg", "Ines Falk", "Petra Moen", "Ole Vik", "Sara Holm"];
  let leadId = "";
  for (let at = 0; at < 42; at += 1) {
    const name = people[at % people.length] as string;
    const lead = await post("/crm/leads", {
      name:
        at < people.length ? name : `${name.split(" ")[0]} ${["Dahl", "Ness", "Lunde"][at % 3]}`,
      email: `${name.split(" ")[0]?.toLowerCase()}${at}@example.com`,
      phone: `(212) 555-01${String(at).padStart(2, "0")}`,
      source: sources[at % sources.length],
      status: statuses[at % statuses.length],
      employer_name: ["Nordlys AS", "Harbour Works", "Lind & Sons"][at % 3],
      tags: at % 4 === 0 ? ["boat show"] : [],
    });
    leadId = lead._id as string;
  }
  await client.patch(`/crm/leads/${leadId}`, {
    status: "contacted",
    comments: "Asked for a berth.",
  });
  const account = await post("/crm/accounts", { name: "Nordlys AS", industry: "Shipping" });
  const stages = ["draft", "prospecting", "discovery", "developing", "negotiation_review"];
  for (let at = 0; at < 14; at += 1) {
    await post("/crm/opportunities", {
      name: ["Two cranes", "A berth", "Winter storage", "New sails"][at % 4],
      account_id: account._id,
      stage: at > 10 ? "closed_won" : stages[at % stages.length],
      value_of_sale: 800 + at * 450,
      probability_pcnt: 0.5,
    });
  }
  const now = Math.floor(Date.now() / 1000);
  for (const [at, name] of ["Ring Mara back", "Send the offer", "Visit the yard"].entries()) {
    await post("/crm/tasks", { name, due_date: now + (at - 1) * 86_400, userid: client.personId });
  }
  const partner = await partnerOf(client, { name: "Harbour Referrals", commission_rate: 7.5 });
  await partnerOf(client, { name: "Pier Nine", commission_rate: 5 });
  for (let at = 0; at < 9; at += 1) {
    const name = people[at % people.length] as string;
    await partner.push({ name, email: `${name.split(" ")[0]?.toLowerCase()}${at}@example.com` });
  }
  const waiting = ok(await client.get("/crm/admin/pushed_leads")).body as { id: string }[];
  const decide = (at: number, action: string, body: object = {}) =>
    client.post(`/crm/admin/pushed_leads/${waiting[at]?.id}/${action}`, body);
  ok(await decide(0, "accept"));
  ok(await decide(0, "import"));
  ok(await decide(1, "accept"));
  ok(await decide(2, "reject", { reason: "Outside of our region" }));
  const file = await readFile(join(ROOT, "examples/leads-web-form.csv"));
  const made = await post("/crm/imports", { type: "leads", file_name: "leads-web-form.csv" });
  const path = `/crm/imports/${made.id}/data`;
  ok(await client.request({ method: "PUT", path, body: file }));
  await post("/crm/admin/access_tokens", { name: "Website form", permissions: ["records:write"] });
  await post("/crm/webhooks", {
    url: "https://hooks.example.com/leadport",
    event_types: ["lead.created", "deal.stage_changed"],
  });
  return { partner, leadId };
}
