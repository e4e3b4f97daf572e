/** The demo business with its owner signed in, and the URL of every page that shows data. */

import { ok } from "../api/samples.ts";
import { tokenOf } from "../exchange/partner-kit.ts";
import { follow, type Page as SignedIn, tokenIn } from "../people/people-kit.ts";
import { addressesOf, type Business } from "./busy-business.ts";
import type { ConsoleTest } from "./console.ts";
import { eventually } from "./eventually.ts";

export interface DemoBusiness extends Omit<Business, "partner"> {
  readonly owner: SignedIn;
  readonly partner: { readonly token: string };
  /** A first name that the search finds. */
  readonly search: string;
}

const DEMO = "/crm/admin/demo";
const LOADED_within_ms = 280_000;

/** Loads the demo data in the same way as an owner of the first tenant does. */
export async function demoBusiness({ api, client }: ConsoleTest): Promise<DemoBusiness> {
  await api.sql`insert into first_tenant (tenant_id) values (${client.tenantId})`;
  ok(await client.post(DEMO));
  await eventually(
    async () => ok(await client.get(DEMO)).body,
    ({ state }) => state === "ready",
    LOADED_within_ms,
  );
  const { link } = ok(await client.post(`${DEMO}/link`)).body;
  const owner = await follow(client, tokenIn(link));
  return { owner, ...(await pagesOf(owner, client)) };
}

const matching = (filter: object) =>
  `match_filter_dict=${encodeURIComponent(JSON.stringify(filter))}`;

/** Finds the newest records worth a screenshot and returns the URLs of their pages. */
async function pagesOf(owner: SignedIn, client: ConsoleTest["client"]) {
  const read = async (path: string) => ok(await owner.get(path)).body;
  const { leads } = await read(
    `/crm/leads?${matching({ lead_status: "meeting-setup" })}&page_size=1`,
  );
  const [deal] = await read(`/crm/deals?${matching({ stage: "contract_pending" })}&page_size=1`);
  const [imported] = await read("/crm/imports");
  const pending = await read("/crm/admin/pushed_leads?status=pending");
  const pushed = pending.find(
    ({ possible_duplicate }: { possible_duplicate: boolean }) => possible_duplicate,
  );
  const webhooks = await read("/crm/webhooks");
  const webhook = webhooks.find(({ enabled }: { enabled: boolean }) => enabled);
  const partners = await read("/crm/admin/partners");
  const { id: partner_id } = partners.find(({ name }: { name: string }) =>
    name.startsWith("Sunward"),
  );
  const code = ok(await owner.post(`/crm/admin/partners/${partner_id}/access_code`)).body;
  const token = await tokenOf(client, { partner_id, access_code: code.access_code });
  const ids = {
    lead: leads[0]._id,
    deal: deal._id,
    import: imported.id,
    pushed: (pushed ?? pending[0]).id,
    partner: partner_id,
    webhook: webhook.id,
  };
  return { partner: { token }, search: String(leads[0].first_name), ...addressesOf(ids) };
}
