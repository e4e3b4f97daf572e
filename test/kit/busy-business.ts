/** A business with records of every kind, and the URL of every page that has content. */

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { ok } from "../api/samples.ts";
import { partnerOf } from "../exchange/exchange-kit.ts";
import type { ConsoleTest } from "./console.ts";

const ROOT = join(import.meta.dirname, "../..");

type Partner = Awaited<ReturnType<typeof partnerOf>>;

export interface Business {
  readonly partner: Partner;
  /** The URLs of console pages, by name. */
  readonly console: Readonly<Record<string, string>>;
  /** The URLs of portal pages, by name. */
  readonly portal: Readonly<Record<string, string>>;
}

/** Fills a new business through the API. */
export async function busyBusiness(pages: ConsoleTest): Promise<Business> {
  const { partner, leadId, importId } = await fill(pages);
  const [pushed] = ok(
    await pages.client.get("/crm/admin/pushed_leads", { status: "pending" }),
  ).body;
  const [deal] = ok(await pages.client.get("/crm/deals")).body;
  const [webhook] = ok(await pages.client.get("/crm/webhooks")).body;
  const ids = {
    lead: leadId,
    deal: deal._id,
    import: importId,
    pushed: pushed.id,
    partner: partner.partner_id,
    webhook: webhook.id,
  };
  return { partner, ...addressesOf(ids) };
}

/** The ids of the records whose pages are opened. */
type Shown = Readonly<
  Record<"lead" | "deal" | "import" | "pushed" | "partner" | "webhook", string>
>;

/** Returns the URLs of every page of a business. */
export const addressesOf = (ids: Shown): Omit<Business, "partner"> => ({
  console: {
    home: "/",
    leads: "/leads",
    lead: `/leads/${ids.lead}`,
    contacts: "/contacts",
    accounts: "/accounts",
    deals: "/deals",
    deal: `/deals/${ids.deal}`,
    "new-deal": "/deals/new",
    board: "/board",
    invoices: "/invoices",
    orders: "/orders",
    tasks: "/tasks",
    imports: "/imports",
    import: `/imports/${ids.import}`,
    "new-import": "/imports/new",
    review: `/review/${ids.pushed}`,
    partners: "/partners",
    partner: `/partners/${ids.partner}`,
    "new-partner": "/partners/new",
    deliveries: "/deliveries",
    people: "/settings/people",
    integrations: "/settings/integrations",
    webhooks: "/settings/webhooks",
    webhook: `/settings/webhooks/${ids.webhook}`,
    audit: "/settings/audit",
    business: "/settings/tenant",
    privacy: "/settings/privacy",
    system: "/settings/system",
    profile: "/profile",
  },
  portal: {
    overview: "/partner",
    "look-up": "/partner/look-up",
    push: "/partner/push",
    file: "/partner/push-file",
    pushed: "/partner/pushed",
    people: "/partner/people",
    analytics: "/partner/analytics",
    api: "/partner/api",
  },
});

interface Filled {
  readonly partner: Partner;
  readonly leadId: string;
  readonly importId: string;
}

async function fill({ client }: ConsoleTest): Promise<Filled> {
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
    events: ["lead.created", "deal.stage_changed"],
  });
  return { partner, leadId, importId: made.id as string };
}
