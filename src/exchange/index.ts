/** The partner lead exchange: partners, pushed leads, review, import and attribution. */

import type { Refusals } from "../limits/index.ts";
import type { Clock } from "../platform/clock/index.ts";
import { createMemory } from "../platform/cache/index.ts";
import type { MakeId } from "../platform/ids/index.ts";
import type { Database } from "../platform/database/index.ts";
import type { BasicServices, Module } from "../platform/modules/index.ts";
import type { Sealer } from "../platform/secrets/index.ts";
import type { Operation } from "../platform/operations/index.ts";
import type { Schemas } from "../platform/schemas/index.ts";
import type { Participant } from "../records/store/index.ts";
import type { RecordTypes } from "../records/types/index.ts";
import { ANALYTICS_SCHEMA, attributions } from "./commission/index.ts";
import {
  partnerOperations,
  PORTAL_SCHEMAS,
  portalOperations,
  pushSchemas,
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
  describedImports,
  importIntoRecords,
  LEAD_IMPORTED,
  leadImportedTopic,
  REVIEW_SCHEMAS,
  reviewOperations,
  reviewShapes,
} from "./review/index.ts";
import {
  PARTNER_SCHEMAS,
  partnerAdminOperations,
  PARTNER_HEADERS,
  partnerShapes,
  type PartnerTokens,
  tokenOperation,
  viewSchema,
} from "./partners/index.ts";
import { partnerWebhookOperations } from "./partner-webhooks.ts";
import { expireSome, mergedLeads, PUSHED_SCHEMAS } from "./pushed-leads/index.ts";
import type { ContributedTopic, Queue } from "../delivery/index.ts";
import type { EventWebhookDeps, Follow } from "../events/index.ts";
import type { Outgoing } from "../platform/outgoing/index.ts";

export { pushedLeadViews } from "./partner-webhooks.ts";

interface ExchangeDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly makeId: MakeId;
  readonly sealer: Sealer;
  readonly queue: Queue;
  readonly outgoing: Outgoing;
  /** Private hosts, addresses and ranges to which the installation allows outgoing requests. */
  readonly allow: readonly string[];
  readonly stall_ms?: number | undefined;
  readonly webhooks: EventWebhookDeps;
  readonly follow: Follow;
  readonly refusals: Refusals;
  readonly partnerTokens: PartnerTokens;
  /** Throws 409 if a person was erased and must not be pushed again. */
  readonly isBlockedSql: IsBlockedSql;
  readonly participants: readonly Participant[];
  /** The types that the operations are described with. */
  readonly types: RecordTypes;
}

/** How long duplicate check settings are cached, and the maximum number of tenants in the cache. */
const CACHED = { for_ms: 1000, most: 10_000 } as const;

/** Clears the cached duplicate check settings before the response to an operation that may have changed them. */
const clearingCache = <C>(operation: Operation<C>, forget: () => void): Operation<C> =>
  operation.method === "GET"
    ? operation
    : { ...operation, run: (call) => operation.run(call).finally(forget) };

function createOperations(deps: ExchangeDeps) {
  const { db, clock, refusals, partnerTokens: tokens } = deps;
  const shapes = { ...partnerShapes(clock), ...pushShapes(clock), ...reviewShapes(clock) };
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
    tenants: forTenants.map((operation) => clearingCache(operation, checks.forget)),
    partners: [
      ...partnerOperations({ ...deps, shapes, findPerson, usesOwnSystem }),
      ...partnerWebhookOperations(deps.webhooks),
      renewOperation(portal),
    ].map((operation) => ({ ...operation, requestHeaders: PARTNER_HEADERS })),
    anyone: [tokenOperation(portal)],
    pages: portalOperations(portal),
  };
}

/** Returns the topic of the import webhook. */
const importTopic = (deps: SettingDeps): ContributedTopic => ({
  ...leadImportedTopic(deps),
  ...describedImports(deps),
});

/** Returns the named schemas in openapi.json. */
export const exchangeSchemas = ({ lead, contact }: RecordTypes): Schemas => ({
  ...pushSchemas(lead),
  ...REVIEW_SCHEMAS,
  ...PARTNER_SCHEMAS,
  ...PUSHED_SCHEMAS,
  ...CALLOUT_SCHEMAS,
  ...PORTAL_SCHEMAS,
  Analytics: ANALYTICS_SCHEMA,
  PartnerLeadResponse: viewSchema(lead),
  PartnerContactResponse: viewSchema(contact),
});

export const exchangeModule = {
  name: "exchange",
  imports: ["audit", "tenants", "limits", "quotas", "access", "records", "delivery", "events"],
  operations: createOperations,
  works: ({ sql, clock, makeId }: BasicServices) => ({
    expire_pushed_leads: () => expireSome(sql, { clock, makeId }),
  }),
  topics: { [LEAD_IMPORTED]: importTopic },
  participants: [attributions, mergedLeads],
  schemas: exchangeSchemas,
  tags: {
    partners: "The partners that send leads to the tenant.",
    review: "Accepting, rejecting and importing the leads that partners pushed.",
    settings: "Connections to your own systems: the import webhook and the duplicate check.",
    "partner exchange": "Operations for partners: look up people, push leads, and track them.",
  },
  personal: {
    partners: {
      user: "name ip_allow_list",
      no:
        "tenant_id id status auto_accept can_push allowed_marketing_sources permissions commission_rate " +
        "access_code_hash generation created_ts updated_ts rate_limit concurrency_limit",
    },
    pushed_leads: {
      yes: "name email phone match_preferences comments description rejection_reason",
      derived: "email_key phone_key open_by_email open_by_phone",
      no:
        "tenant_id id partner_id source status possible_duplicate submitted_ts expiration_ts imported_lead_id " +
        "erased_ts",
    },
    attributions: { derived: "person_key", no: "tenant_id partner_id pushed_lead_id lead_id" },
    attributed_deals: { no: "tenant_id deal_id partner_id commission_rate" },
    tenant_settings: { text: "value", no: "tenant_id name sealed updated_ts" },
  },
} satisfies Module;
