/** Operations that partners use to look up people, push leads and track them. */

import sql from "sql-template-tag";
import { epochSeconds } from "../../platform/clock/index.ts";
import { idIn } from "../../platform/ids/index.ts";
import type { Database } from "../../platform/database/index.ts";
import { AppError } from "../../platform/errors/index.ts";
import { choosing, pick } from "../../platform/json/index.ts";
import { type Operation, operation } from "../../platform/operations/index.ts";
import { boolean, nullable, objectSchema, string } from "../../platform/schemas/index.ts";
import { PAGE_SCHEMAS } from "../../platform/paging/index.ts";
import {
  sendList,
  DATE_PARAMETERS,
  LIST_PARAMETERS,
  spanBetween,
} from "../../records/list/index.ts";
import { personKeys } from "../../records/contact-details/index.ts";
import { partsFor } from "../../records/routes/index.ts";
import type { RecordType, RecordTypes } from "../../records/types/index.ts";
import { readAnalytics } from "../commission/index.ts";
import { pushOf, type PushShapes, sourceIssues } from "./push-bodies.ts";
import {
  OWN_SETTING_NAMES,
  type PartnerCaller,
  partnerScope,
  planView,
  viewFields,
  viewListing,
} from "../partners/index.ts";
import { pushLead, preparePush, type PushDeps } from "./push.ts";
import {
  listPushed,
  PUSHED_PARAMETERS,
  PUSHED_PATH,
  readPushed,
  shownToPartner,
} from "../pushed-leads/index.ts";

export interface PartnerRoutesDeps extends PushDeps {
  readonly db: Database;
  readonly shapes: PushShapes;
  /** The types that the operations are described with. */
  readonly types: RecordTypes;
  /** Clients that read no data for this long are disconnected. */
  readonly stall_ms?: number | undefined;
}

type PartnerOperation = Operation<PartnerCaller>;

const COMMON = { tag: "partner exchange", security: "PartnerToken" } as const;

const LOOKUP_ANSWER = objectSchema({
  exists: boolean("Whether the person exists."),
  name: nullable(
    string(
      "The name of the person; null without the `lookup_name` permission, or if there is no such person.",
    ),
  ),
  active: boolean(
    "Whether the person was created, updated or given another status in the last 30 days.",
  ),
});

export function partnerOperations(deps: PartnerRoutesDeps): readonly PartnerOperation[] {
  return [
    selfOf(),
    lookUpOf(deps),
    pushOperation(deps),
    pushedOf(deps),
    onePushedOf(deps),
    viewOf(deps, deps.types.lead, "read_leads"),
    viewOf(deps, deps.types.contact, "read_contacts"),
    analyticsOf(deps),
  ];
}

const selfOf = (): PartnerOperation =>
  operation({
    ...COMMON,
    method: "GET",
    url: "/crm/partner/me",
    id: "get_partner_self",
    summary: "Get the partner",
    description: "Returns your settings: sources, commission rate and permissions.",
    permission: "own",
    answer: { $ref: "PartnerSelf#" },
    run: async ({ caller: { partner, tenant } }) => ({
      partner_id: partner.id,
      ...pick(partner, OWN_SETTING_NAMES),
      tenant_name: tenant.name,
      currency: tenant.currency,
    }),
  });

const lookUpOf = ({ db, clock, findPerson, shapes, types }: PartnerRoutesDeps): PartnerOperation =>
  operation({
    ...COMMON,
    method: "POST",
    url: "/crm/partner/lookup",
    id: "partner_lookup",
    readsOnly: true,
    summary: "Look up a person",
    description: "Returns whether the business has a person with this email or phone number.",
    permission: "lookup",
    ...partsFor(types.lead, (lead) => ({ body: shapes.lookup(lead) })),
    answer: LOOKUP_ANSWER,
    confirms: true,
    run: async ({ caller, body, write }) => {
      const person = { given: body, keys: personKeys(body, caller.tenant.default_country), caller };
      const found = await findPerson(partnerScope(db.reads, caller), person, epochSeconds(clock));
      const mayName = caller.partner.permissions.includes("lookup_name");
      return write(async () => ({
        exists: found !== undefined,
        name: mayName ? (found?.name ?? null) : null,
        active: found?.active ?? false,
      }));
    },
  });

const pushOperation = (deps: PartnerRoutesDeps): PartnerOperation =>
  operation({
    ...COMMON,
    method: "POST",
    url: "/crm/partner/push",
    id: "partner_push",
    summary: "Push a lead",
    description: "Adds a lead to the business's buffer, where it awaits review.",
    permission: "can_push",
    ...partsFor(deps.types.lead, (lead) => ({ body: deps.shapes.push(lead) })),
    bodyIssues: ({ partner }, body) => sourceIssues(partner, body),
    answer: { $ref: "PushedLead#" },
    confirms: true,
    run: async ({ caller, body, write }) => {
      const push = pushOf(caller.partner, body);
      const sought = await preparePush(partnerScope(deps.db.reads, caller), deps, caller, push);
      return write((db) => pushLead(partnerScope(db, caller), deps, caller, sought));
    },
  });

const pushedOf = ({ db, clock }: PartnerRoutesDeps): PartnerOperation =>
  operation({
    ...COMMON,
    method: "GET",
    url: "/crm/partner/pushed",
    id: "list_partner_pushed",
    isCounted: true,
    summary: "List your pushed leads",
    description: "Lists the leads that you pushed, newest first.",
    permission: "own",
    query: PUSHED_PARAMETERS,
    answer: { type: "array", items: { $ref: "PushedLead#" } },
    run: async ({ caller, query, request, reply }) => {
      const scope = partnerScope(db.lists, caller);
      const own = { ...query, partner_id: caller.partner.id };
      const leads = await listPushed(scope, epochSeconds(clock), own, { request, reply });
      return leads.map(shownToPartner).map(choosing(query.fields));
    },
  });

const onePushedOf = ({ db, clock }: PartnerRoutesDeps): PartnerOperation =>
  operation({
    ...COMMON,
    method: "GET",
    url: "/crm/partner/pushed/:pushed_lead_id",
    id: "get_partner_pushed",
    summary: "Get a pushed lead",
    description: "Returns a lead that you pushed, with the history of its status.",
    permission: "own",
    path: PUSHED_PATH,
    answer: { $ref: "PushedLead#" },
    run: async ({ caller, path }) => {
      const id = idIn(path, "pushed_lead_id");
      const where = [sql`p.id = ${id}`, sql`p.partner_id = ${caller.partner.id}`];
      const scope = partnerScope(db.sql, caller);
      const [lead] = await readPushed(scope, epochSeconds(clock), { where, limit: 1 });
      if (lead === undefined) throw new AppError("not_found");
      return shownToPartner(lead);
    },
  });

/**
 * Returns the operation that lists records of a type. Partners see only members of this type. They do not see what a
 * tenant adds to it.
 */
function viewOf(
  { db, clock, stall_ms }: PartnerRoutesDeps,
  type: RecordType,
  permission: string,
): PartnerOperation {
  const item = { $ref: `Partner${type.schemaName}Response#` };
  const { envelope } = type;
  return operation({
    ...COMMON,
    method: "GET",
    url: viewListing(type).path,
    id: `list_partner_${type.table}`,
    isCounted: true,
    summary: `List ${type.table} from your sources`,
    description: `Lists the ${type.table} of the business whose source is one of your allowed sources.`,
    permission,
    query: { ...LIST_PARAMETERS, ...viewFields(type) },
    answer:
      envelope === undefined
        ? { type: "array", items: item }
        : objectSchema({
            [envelope]: { type: "array", items: item, description: `The ${type.table}.` },
            ...PAGE_SCHEMAS,
          }),
    run: async ({ caller, query, request, reply }) => {
      const plan = planView({
        type,
        query,
        partner: caller.partner,
        country: caller.tenant.default_country,
        now_s: epochSeconds(clock),
      });
      const reader = { tenantId: caller.tenant.id, db };
      return sendList(reader, plan, { envelope, request, reply, stall_ms });
    },
  });
}

const analyticsOf = ({ db, clock }: PartnerRoutesDeps): PartnerOperation =>
  operation({
    ...COMMON,
    method: "GET",
    url: "/crm/partner/analytics",
    id: "partner_analytics",
    summary: "Get your analytics",
    description: "Returns the counts of your pushed leads and your earnings from won deals.",
    permission: "analytics",
    query: DATE_PARAMETERS,
    answer: { $ref: "Analytics#" },
    run: async ({ caller, query }) => {
      const { partner, tenant } = caller;
      const analytics = await readAnalytics(partnerScope(db.lists, caller), {
        partner_id: partner.id,
        span: spanBetween(query),
        now_s: epochSeconds(clock),
      });
      const { commission_rate } = partner;
      return { ...analytics, commission_rate, currency: tenant.currency };
    },
  });
