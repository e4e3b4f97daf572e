/**
 * Partners' event webhooks. They receive events about the partner's own pushed leads, with the data that the partner
 * may see.
 */

import sql from "sql-template-tag";
import {
  eventWebhookOperations,
  type EventWebhookDeps,
  type PushedLeadViews,
} from "../events/index.ts";
import { epochSeconds, type Clock } from "../platform/clock/index.ts";
import type { JsonObject } from "../platform/json/index.ts";
import type { Operation } from "../platform/operations/index.ts";
import {
  type Partner,
  PARTNER_DEFAULTS,
  partnerNames,
  partnerScope,
  type PartnerCaller,
} from "./partners/index.ts";
import { pushOf } from "./push/index.ts";
import {
  findPushed,
  FIRST,
  freshlyPushed,
  pushedNames,
  readPushed,
  shownToPartner,
  shownToTenant,
  type PushedLead,
} from "./pushed-leads/index.ts";
import { withDeliveries } from "./review/index.ts";
import { run } from "../platform/database/index.ts";

/** Returns the operations that a partner uses to manage its webhooks. */
export const partnerWebhookOperations = (
  deps: EventWebhookDeps,
): readonly Operation<PartnerCaller>[] => {
  const record = (id: string, _type: string, { partner }: PartnerCaller): JsonObject =>
    shownToPartner(sampleLead(id, partner, epochSeconds(deps.clock)));
  return eventWebhookOperations<PartnerCaller>(deps, {
    url: "/crm/partner/webhooks",
    idName: "partner_webhook_id",
    word: "partner_webhook",
    common: { tag: "partner exchange", permission: "own", security: "PartnerToken" },
    create: deps.shapes.partnerCreate,
    update: deps.shapes.partnerUpdate,
    // Only the partner knows which service runs at this URL, so the tenant must not see the response body.
    trial: { schema: { $ref: "PartnerWebhookTest#" }, showsBody: false, record },
    filters: false,
    scope: (db, caller) => ({ ...partnerScope(db, caller), owner: caller.partner.id }),
    country: ({ tenant }) => tenant.default_country,
  });
};

/** Returns the sample partner used in a tenant's test requests. */
const sampleOwner = (id: string) => ({ ...PARTNER_DEFAULTS, id, name: "Leadport test" });

/** Returns the sample pushed lead used in test requests. */
const sampleLead = (
  id: string,
  partner: Pick<Partner, "id" | "name" | "allowed_marketing_sources">,
  submitted_ts: number,
): PushedLead =>
  freshlyPushed(partner, {
    ...pushOf(partner, { name: "Leadport test", source: "Referral" }),
    id,
    partner_id: partner.id,
    status: FIRST,
    submitted_ts,
    possible_duplicate: false,
    email_key: null,
    phone_key: null,
  });

/** Selects the ids of a partner's pushed leads, or none while the partner is suspended. */
const ofPartnerSql: PushedLeadViews["ofPartnerSql"] = ({ tenantId }, partnerId) => sql`
  select p.id from pushed_leads p
    join partners n on n.tenant_id = p.tenant_id and n.id = p.partner_id
   where p.tenant_id = ${tenantId} and p.partner_id = ${partnerId} and n.status = 'active'
     and p.erased_ts is null`;

/** Returns the views of pushed leads for events. Tenants and partners receive the same data as in GET responses. */
export const pushedLeadViews = (clock: Clock): PushedLeadViews => ({
  forTenant: async (scope, id) => {
    const lead = await findPushed(scope, epochSeconds(clock), id);
    return lead === undefined ? undefined : (await withDeliveries(scope, [lead]))[0];
  },
  forPartner: async (scope, partnerId, id) => {
    const where = [sql`p.id = ${id}`, sql`p.partner_id = ${partnerId}`, sql`n.status = 'active'`];
    const [lead] = await readPushed(scope, epochSeconds(clock), { where, limit: 1 });
    return lead === undefined ? undefined : shownToPartner(lead);
  },
  ofPartnerSql,
  ofPartner: async (scope, partnerId, ids) => {
    const rows = await run<{ id: string }[]>(scope.db)`
      ${ofPartnerSql(scope, partnerId)} and p.id = any(${ids}::text[])`;
    return new Set(rows.map(({ id }) => id));
  },
  sample: (id) => ({
    ...shownToTenant(sampleLead(id, sampleOwner(id), epochSeconds(clock))),
    delivery: null,
  }),
  names: pushedNames,
  partnerNames,
});
