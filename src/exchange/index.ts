/** The partner lead exchange (D8): partners, the leads they push, review, import, attribution. */

import type { Caller, Quotas, Refusals } from "../access/index.ts";
import type { Clock } from "../platform/clock.ts";
import type { Database } from "../platform/db.ts";
import type { MakeId } from "../platform/ids.ts";
import type { MasterKey } from "../platform/master-key.ts";
import type { Operation } from "../platform/operation.ts";
import type { Parameters } from "../platform/parameters.ts";
import { createMemory } from "../platform/remember.ts";
import type { Sealer } from "../platform/sealing.ts";
import type { Schema } from "../platform/validation.ts";
import { RECORD_TYPES } from "../records/index.ts";
import { ANALYTICS_SCHEMA } from "./analytics.ts";
import { attributionHook } from "./attribution.ts";
import { BODY_SCHEMAS, exchangeShapes } from "./bodies.ts";
import { CALLOUT_SCHEMAS } from "./callout-bodies.ts";
import { calloutOperations } from "./callout-routes.ts";
import { createAsksElsewhere, createFindPerson, type DuplicateCheck } from "./duplicate-check.ts";
import { importIntoRecords } from "./import-lead.ts";
import { partnerAdminOperations } from "./partner-admin-routes.ts";
import { PARTNER_SCHEMAS } from "./partner-bodies.ts";
import { createPartnerDoor } from "./partner-caller.ts";
import type { PartnerCaller, PartnerDoor } from "./partner-caller.ts";
import { partnerOperations } from "./partner-routes.ts";
import { partnerWebhookOperations } from "./partner-webhooks.ts";
import { createPartnerTokens } from "./partner-token.ts";
import { PORTAL_SCHEMAS, portalOperations, renewOperation } from "./portal-routes.ts";
import { PUSHED_SCHEMAS } from "./pushed-lead.ts";
import { reviewOperations } from "./review-routes.ts";
import { tokenOperation } from "./token-routes.ts";
import { viewSchema } from "./views.ts";
import { createImportLead, LEAD_IMPORTED, leadImportedTopic } from "./webhook-import.ts";
import type { SettingDeps } from "./setting.ts";
import type { Queue, Topics } from "../delivery/index.ts";
import type { EventWebhookDeps, Follow } from "../events/index.ts";
import type { Outgoing } from "../platform/outgoing.ts";

export { attributionHook } from "./attribution.ts";
export { expireSome } from "./expiry.ts";
export { mergedLeadHook } from "./merged-leads.ts";
export { partnerCredential, partnerIdentity } from "./partner-caller.ts";
export { pushedLeadViews } from "./partner-webhooks.ts";
export { listRefusedTemplates } from "./stored-templates.ts";

export interface ExchangeDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly makeId: MakeId;
  readonly sealer: Sealer;
  readonly keys: MasterKey;
  readonly queue: Queue;
  readonly outgoing: Outgoing;
  /** What an installation lets be reached although it is private (D9.6). */
  readonly allow: readonly string[];
  readonly stall_ms?: number | undefined;
  readonly webhooks: EventWebhookDeps;
  readonly follow: Follow;
  readonly refusals: Refusals;
  readonly quotas: Quotas;
}

/** What the exchange adds to the service: operations by who may call them. */
export interface Exchange {
  readonly forTenants: readonly Operation<Caller>[];
  readonly forPartners: readonly Operation<PartnerCaller>[];
  readonly partnerDoor: PartnerDoor;
  /** The one that needs no credential but that in its body. */
  readonly forAnyone: readonly Operation<undefined>[];
  /** What the portal's pages ask for without a cookie. */
  readonly forPages: readonly Operation<undefined>[];
}

/** How long it is remembered how a tenant checks for duplicates. */
const REMEMBERED = { for_ms: 1000, most: 10_000 } as const;

/** Lets what is remembered be forgotten by whatever may have changed it, before it is answered. */
const forgetting = <C, P extends Parameters, Q extends Parameters>(
  operation: Operation<C, P, Q>,
  forget: () => void,
): Operation<C, P, Q> =>
  operation.method === "GET"
    ? operation
    : { ...operation, run: (call) => operation.run(call).finally(forget) };

export function createExchange(deps: ExchangeDeps): Exchange {
  const { db, clock, keys, refusals, quotas } = deps;
  const shapes = exchangeShapes(clock);
  const tokens = createPartnerTokens(keys, clock);
  const importLead = createImportLead(
    deps,
    importIntoRecords({ ...deps, onCreation: attributionHook }),
  );
  const checks = createMemory<DuplicateCheck>(clock, REMEMBERED);
  const forTenants = [
    ...partnerAdminOperations({ ...deps, shapes }),
    ...reviewOperations({ ...deps, shapes, importLead }),
    ...calloutOperations({ ...deps, nothing: shapes.nothing }),
  ];
  const checking = { ...deps, checks };
  const findPerson = createFindPerson(checking);
  const asksElsewhere = createAsksElsewhere(checking);
  const portal = { sql: db.sql, tokens, shapes, clock, refusals };
  return {
    forTenants: forTenants.map((operation) => forgetting(operation, checks.forget)),
    forPartners: [
      ...partnerOperations({ ...deps, shapes, findPerson, asksElsewhere }),
      ...partnerWebhookOperations(deps.webhooks),
      renewOperation(portal),
    ],
    partnerDoor: createPartnerDoor(db.sql, { tokens, clock, refusals, quotas }),
    forAnyone: [tokenOperation(portal)],
    forPages: portalOperations(portal),
  };
}

/** What the worker delivers for the exchange. */
export const exchangeTopics = (deps: SettingDeps): Topics => ({
  [LEAD_IMPORTED]: leadImportedTopic(deps),
});

/** Schemas that openapi.json prints by name. */
export const exchangeSchemas: Readonly<Record<string, Schema>> = {
  ...BODY_SCHEMAS,
  ...PARTNER_SCHEMAS,
  ...PUSHED_SCHEMAS,
  ...CALLOUT_SCHEMAS,
  ...PORTAL_SCHEMAS,
  Analytics: ANALYTICS_SCHEMA,
  PartnerLeadResponse: viewSchema(RECORD_TYPES.lead),
  PartnerContactResponse: viewSchema(RECORD_TYPES.contact),
};
