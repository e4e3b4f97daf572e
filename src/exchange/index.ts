/** The partner lead exchange: partners, pushed leads, review, import and attribution. */

import type { Caller, Quotas, Refusals } from "../access/index.ts";
import { type Clock, createMemory, type MakeId } from "../platform/clock/index.ts";
import type { Database } from "../platform/database/index.ts";
import type { MasterKey, Sealer } from "../platform/secrets/index.ts";
import type { Operation } from "../platform/operations/index.ts";
import type { Schemas } from "../platform/validation/index.ts";
import { type Participant, RECORD_TYPES } from "../records/index.ts";
import { ANALYTICS_SCHEMA, attributions } from "./commission/index.ts";
import {
  partnerOperations,
  PORTAL_SCHEMAS,
  portalOperations,
  PUSH_SCHEMAS,
  pushShapes,
  type IsBlockedSql,
  renewOperation,
} from "./push/index.ts";
import {
  CALLOUT_SCHEMAS,
  calloutOperations,
  createUsesOwnSystem,
  createFindPerson,
  type DuplicateCheck,
  type SettingDeps,
} from "./callouts/index.ts";
import {
  createImportLead,
  importIntoRecords,
  LEAD_IMPORTED,
  leadImportedTopic,
  REVIEW_SCHEMAS,
  reviewOperations,
  reviewShapes,
} from "./review/index.ts";
import {
  createPartnerAuthentication,
  createPartnerTokens,
  PARTNER_SCHEMAS,
  partnerAdminOperations,
  type PartnerCaller,
  PARTNER_HEADERS,
  type PartnerAuthentication,
  partnerShapes,
  tokenOperation,
  viewSchema,
} from "./partners/index.ts";
import { partnerWebhookOperations } from "./partner-webhooks.ts";
import { mergedLeads, PUSHED_SCHEMAS } from "./pushed-leads/index.ts";
import type { Queue, Topics } from "../delivery/index.ts";
import type { EventWebhookDeps, Follow } from "../events/index.ts";
import type { Outgoing } from "../platform/outgoing/index.ts";

export {
  clearImported,
  erasePushed,
  expireSome,
  moveLead,
  PUSHED_LEAD,
  STATUSES as PUSHED_LEAD_STATUSES,
} from "./pushed-leads/index.ts";
export {
  createPartner,
  findInRecords,
  findPartner,
  type Partner,
  type PartnerCaller,
  partnerCredential,
  partnerIdentity,
  partnerScope,
  patchPartner,
  type SentPartner,
} from "./partners/index.ts";
export { pushLead, pushOf, preparePush } from "./push/index.ts";
export { describedImports, decide, type Decision, importIntoRecords } from "./review/index.ts";
export { pushedLeadViews } from "./partner-webhooks.ts";
export { listRefusedTemplates } from "./callouts/index.ts";

export interface ExchangeDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly makeId: MakeId;
  readonly sealer: Sealer;
  readonly keys: MasterKey;
  readonly queue: Queue;
  readonly outgoing: Outgoing;
  /** Private hosts, addresses and ranges to which the installation allows outgoing requests. */
  readonly allow: readonly string[];
  readonly stall_ms?: number | undefined;
  readonly webhooks: EventWebhookDeps;
  readonly follow: Follow;
  readonly refusals: Refusals;
  readonly quotas: Quotas;
  /** Throws 409 if a person was erased and must not be pushed again. */
  readonly isBlockedSql: IsBlockedSql;
  readonly participants: readonly Participant[];
}

/** The exchange's parts in writing records. */
export const exchangeParticipants: readonly Participant[] = [attributions, mergedLeads];

/** The operations that the exchange adds to the service, by caller. */
export interface Exchange {
  readonly forTenants: readonly Operation<Caller>[];
  readonly forPartners: readonly Operation<PartnerCaller>[];
  readonly partnerAuthentication: PartnerAuthentication;
  /** The operation that issues tokens. Its only credential is in the request body. */
  readonly forAnyone: readonly Operation<undefined>[];
  /** Operations that portal pages can call without a cookie. */
  readonly forPages: readonly Operation<undefined>[];
}

/** How long duplicate check settings are cached, and the maximum number of tenants in the cache. */
const CACHED = { for_ms: 1000, most: 10_000 } as const;

/** Clears the cached duplicate check settings before the response to an operation that may have changed them. */
const clearingCache = <C>(operation: Operation<C>, forget: () => void): Operation<C> =>
  operation.method === "GET"
    ? operation
    : { ...operation, run: (call) => operation.run(call).finally(forget) };

export function createExchange(deps: ExchangeDeps): Exchange {
  const { db, clock, keys, refusals, quotas } = deps;
  const shapes = { ...partnerShapes(clock), ...pushShapes(clock), ...reviewShapes(clock) };
  const tokens = createPartnerTokens(keys, clock);
  const importLead = createImportLead(deps, importIntoRecords(deps));
  const checks = createMemory<DuplicateCheck>(clock, CACHED);
  const forTenants = [
    ...partnerAdminOperations({ ...deps, shapes }),
    ...reviewOperations({ ...deps, shapes, importLead }),
    ...calloutOperations({ ...deps, nothing: shapes.nothing }),
  ];
  const checking = { ...deps, checks };
  const findPerson = createFindPerson(checking);
  const usesOwnSystem = createUsesOwnSystem(checking);
  const portal = { sql: db.sql, tokens, shapes, clock, refusals };
  return {
    forTenants: forTenants.map((operation) => clearingCache(operation, checks.forget)),
    forPartners: [
      ...partnerOperations({ ...deps, shapes, findPerson, usesOwnSystem }),
      ...partnerWebhookOperations(deps.webhooks),
      renewOperation(portal),
    ].map((operation) => ({ ...operation, requestHeaders: PARTNER_HEADERS })),
    partnerAuthentication: createPartnerAuthentication(db.sql, { tokens, clock, refusals, quotas }),
    forAnyone: [tokenOperation(portal)],
    forPages: portalOperations(portal),
  };
}

/** Returns the exchange's topics. The worker sends their deliveries. */
export const exchangeTopics = (deps: SettingDeps): Topics => ({
  [LEAD_IMPORTED]: leadImportedTopic(deps),
});

/** The named schemas in openapi.json. */
export const exchangeSchemas: Schemas = {
  ...PUSH_SCHEMAS,
  ...REVIEW_SCHEMAS,
  ...PARTNER_SCHEMAS,
  ...PUSHED_SCHEMAS,
  ...CALLOUT_SCHEMAS,
  ...PORTAL_SCHEMAS,
  Analytics: ANALYTICS_SCHEMA,
  PartnerLeadResponse: viewSchema(RECORD_TYPES.lead),
  PartnerContactResponse: viewSchema(RECORD_TYPES.contact),
};
