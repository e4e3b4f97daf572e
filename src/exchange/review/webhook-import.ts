/**
 * Imports leads through the import webhook. The decision queues a delivery, and the lead becomes imported once the
 * endpoint has accepted it. Until then, it stays accepted.
 */

import type { Scope } from "../../audit/index.ts";
import {
  deliveriesOf,
  type DescribedTopic,
  enqueue,
  refuseOpen,
  type EnqueueDeps,
  type Topic,
  type SentDelivery,
} from "../../delivery/index.ts";
import { epochSeconds } from "../../platform/clock/index.ts";
import { attribute } from "../commission/index.ts";
import {
  readWebhook,
  requestOf,
  type SettingDeps,
  WEBHOOK,
  webhookValues,
} from "../callouts/index.ts";
import type { ImportLead } from "./import-lead.ts";
import {
  findPushed,
  IMPORT_WEBHOOK,
  moveLead,
  PUSHED_LEAD,
  type PushedLead,
  pushedNames,
  shownToTenant,
} from "../pushed-leads/index.ts";

/** The name of the event in deliveries of imported leads. */
export const LEAD_IMPORTED = "lead.imported";

/**
 * Creates the function that imports leads through the tenant's webhook if it is enabled, and otherwise with
 * `otherwise`. While a delivery of the lead is pending, the function throws 409 with the delivery's id, even if the
 * webhook has been disabled in the meantime, because the endpoint may already have received the lead.
 */
export const createImportLead =
  (deps: EnqueueDeps & SettingDeps, otherwise: ImportLead): ImportLead =>
  async (scope, author, lead, now_s) => {
    const about = { topic: LEAD_IMPORTED, subject_id: lead.id };
    await refuseOpen(scope, about);
    const { enabled, timeout_s } = await readWebhook(scope, deps);
    if (!enabled) return otherwise(scope, author, lead, now_s);
    const found = { event: LEAD_IMPORTED, record_id: lead.id };
    const delivery_id = await enqueue(scope, deps, { ...about, ...found, timeout_s });
    return { queued: { delivery_id, timeout_s }, attribution: undefined };
  };

/**
 * The topic of deliveries of imported leads. Builds their requests, and marks leads as imported once the endpoint has
 * accepted them.
 */
export const leadImportedTopic = (deps: SettingDeps): Topic => ({
  request: async (scope, delivery) => {
    const lead = await findPushed(scope, epochSeconds(deps.clock), delivery.subject_id);
    const webhook = await readWebhook(scope, deps);
    if (!webhook.enabled || lead === undefined || !isForEndpoint(lead, delivery)) return "skip";
    const secrets = webhook.secrets.map(({ secret }) => secret);
    return { ...requestOf(webhook, webhookValues(lead)), secrets };
  },
  onDelivered: async (scope, { subject_id }) => {
    const actor = { ...IMPORT_WEBHOOK, requestId: null };
    const now_s = epochSeconds(deps.clock);
    const move = { event: "import", imported_lead_id: null } as const;
    const pointed = { id: subject_id, now_s };
    if (!(await moveLead({ ...scope, actor }, deps.makeId, pointed, move))) return;
    const lead = await findPushed(scope, now_s, subject_id);
    if (lead === undefined) return;
    const keys = { email: lead.email_key, phone: lead.phone_key };
    const { id: pushed_lead_id, partner_id } = lead;
    await attribute(scope, [{ keys, partner_id, pushed_lead_id, lead_id: deps.makeId() }]);
  },
});

/**
 * Whether a lead can be sent to the endpoint. This is the case if it is accepted, or if it was imported through the
 * endpoint and is being sent again. The delivery or the history shows this even if the CRM lead has been erased.
 */
const isForEndpoint = ({ status, history }: PushedLead, { delivered_ts }: SentDelivery): boolean =>
  status === "accepted" ||
  delivered_ts !== null ||
  history.some(({ actor }) => actor.id === IMPORT_WEBHOOK.id);

/** Returns leads as the tenant sees them, each with its delivery. */
export async function withDeliveries(scope: Scope, leads: readonly PushedLead[]) {
  const ids = leads.map(({ id }) => id);
  const deliveries = await deliveriesOf(scope, LEAD_IMPORTED, ids);
  return leads.map((lead) => ({
    ...shownToTenant(lead),
    delivery: deliveries.get(lead.id) ?? null,
  }));
}

/** Describes imports in lists of deliveries. */
export const describedImports = (deps: Pick<SettingDeps, "sealer">): DescribedTopic => ({
  events: [LEAD_IMPORTED],
  ofWebhook: (id) => (id === WEBHOOK.name ? { topic: LEAD_IMPORTED } : undefined),
  describe: async (scope, deliveries) => {
    const { url } = await readWebhook(scope, deps);
    const ids = deliveries.map(({ subject_id }) => subject_id);
    const names = await pushedNames(scope, [...new Set(ids)]);
    const none = { description: null, partner: null } as const;
    const webhook = { id: WEBHOOK.name, kind: "import_webhook", url, ...none } as const;
    return new Map(
      deliveries.map(({ id, subject_id }) => {
        const name = names.get(subject_id) ?? null;
        const record = { type: PUSHED_LEAD, id: subject_id, name };
        return [id, { event: LEAD_IMPORTED, webhook, record }];
      }),
    );
  },
});
