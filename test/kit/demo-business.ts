/** The demo business with its owner signed in, and the paths of the console's pages that show data. */

import { ok } from "../api/samples.ts";
import { follow, type Page as SignedIn, tokenIn } from "../people/people-kit.ts";
import { addressesOf } from "./busy-business.ts";
import type { ConsoleTest } from "./console.ts";
import { eventually } from "./eventually.ts";

const DEMO = "/crm/admin/demo";
const LOADED_within_ms = 280_000;

/** Loads the demo data in the same way as an owner of the first tenant does. */
export async function demoBusiness({ api, client }: ConsoleTest) {
  await api.sql`insert into first_tenant (tenant_id) values (${client.tenantId})`;
  ok(await client.post(DEMO));
  await eventually(
    async () => ok(await client.get(DEMO)).body,
    ({ state }) => state === "ready",
    LOADED_within_ms,
  );
  const { link } = ok(await client.post(`${DEMO}/link`)).body;
  const owner = await follow(client, tokenIn(link));
  return { owner, addresses: await addressesIn(owner) };
}

const matching = (filter: object) =>
  `match_filter_dict=${encodeURIComponent(JSON.stringify(filter))}`;

/** Finds the newest records worth a screenshot and returns the paths of the pages, by name. */
async function addressesIn(owner: SignedIn): Promise<Readonly<Record<string, string>>> {
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
  const partner = partners.find(({ name }: { name: string }) => name.startsWith("Sunward"));
  return addressesOf({
    lead: leads[0]._id,
    deal: deal._id,
    import: imported.id,
    pushed: (pushed ?? pending[0]).id,
    partner: partner.id,
    webhook: webhook.id,
  }).console;
}
