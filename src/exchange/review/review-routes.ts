/** What a tenant does with the leads in its buffer, and what it sees of all partners (D9.3, D8.10). */

import { scopeOf, type Caller } from "../../access/index.ts";
import type { Scope } from "../../audit/index.ts";
import { epochSeconds, idIn } from "../../platform/clock/index.ts";
import type { Database } from "../../platform/database/index.ts";
import { AppError } from "../../platform/errors/index.ts";
import type { BodyShape, Operation } from "../../platform/operations/index.ts";
import type { Parameters, Schema } from "../../platform/validation/index.ts";
import { authorOf, DATE_PARAMETERS, spanBetween } from "../../records/index.ts";
import { readAnalytics } from "../commission/index.ts";
import { findPartner, type PartnerShapes } from "../partners/index.ts";
import type { ReviewShapes } from "./review-bodies.ts";
import type { Promised } from "./import-lead.ts";
import { ALIKE_SCHEMA, findAlike } from "./possible-duplicates.ts";
import {
  findPushed,
  listPushed,
  PUSHED_PATH,
  type PushedLead,
  REVIEW_PARAMETERS,
} from "../pushed-leads/index.ts";
import { tellTenant } from "./webhook-import.ts";
import { reviewStreamOf, type ReviewStreamDeps } from "./review-stream.ts";
import { awaitPromised, decide, decideMany, type Decision, type ReviewDeps } from "./review.ts";

export interface ReviewRoutesDeps extends ReviewDeps, ReviewStreamDeps {
  readonly db: Database;
  readonly shapes: ReviewShapes & Pick<PartnerShapes, "nothing">;
}

type ReviewOperation = Operation<Caller>;

const COMMON = { tag: "review", permission: "exchange:review" } as const;
const LEADS = "/crm/admin/pushed_leads";
const ONE: Schema = { $ref: "ReviewedLead#" };
const BATCH_BYTES_MAX = 16 * 1024 * 1024;

export const reviewOperations = (deps: ReviewRoutesDeps): readonly ReviewOperation[] => [
  listOf(deps),
  reviewStreamOf(deps),
  oneOf(deps),
  decisionOf(deps, "accept", "Accept a pending lead", deps.shapes.nothing, () => ({
    action: "accept",
  })),
  decisionOf(
    deps,
    "reject",
    "Reject a pending lead; its partner sees the reason",
    deps.shapes.reject,
    ({ reason }) => ({ action: "reject", reason: String(reason) }),
  ),
  decisionOf(deps, "import", "Import an accepted lead", deps.shapes.nothing, () => ({
    action: "import",
  })),
  batchOf(deps),
  analyticsOf(deps),
];

const listOf = ({ db, clock }: ReviewRoutesDeps): ReviewOperation => ({
  ...COMMON,
  method: "GET",
  url: LEADS,
  id: "list_pushed_leads",
  summary: "The leads that partners pushed, newest first or as `order` says",
  query: REVIEW_PARAMETERS,
  answer: { type: "array", items: ONE },
  run: async ({ caller, query, request, reply }) => {
    const scope = scopeOf(db.lists, caller);
    const leads = await listPushed(scope, epochSeconds(clock), query, { request, reply });
    return tellTenant(scope, leads);
  },
});

const oneOf = ({ db, clock }: ReviewRoutesDeps): ReviewOperation => ({
  ...COMMON,
  method: "GET",
  url: `${LEADS}/:pushed_lead_id`,
  id: "get_pushed_lead",
  summary: "One pushed lead, with the records and pushes that it resembles",
  path: PUSHED_PATH,
  answer: {
    allOf: [
      ONE,
      {
        type: "object",
        properties: { resembles: { type: "array", items: ALIKE_SCHEMA } },
        required: ["resembles"],
      },
    ],
  },
  run: async ({ caller, path }) => {
    const scope = scopeOf(db.sql, caller);
    const now_s = epochSeconds(clock);
    const lead = await findPushed(scope, now_s, idIn(path, "pushed_lead_id"));
    if (lead === undefined) throw new AppError("not_found");
    const [told] = await tellTenant(scope, [lead]);
    return { ...told, resembles: await findAlike(scope, lead, now_s) };
  },
});

const decisionOf = (
  deps: ReviewRoutesDeps,
  word: string,
  summary: string,
  body: BodyShape,
  read: (body: Readonly<Record<string, unknown>>) => Decision,
): ReviewOperation => ({
  ...COMMON,
  method: "POST",
  url: `${LEADS}/:pushed_lead_id/${word}`,
  id: `${word}_pushed_lead`,
  summary,
  path: PUSHED_PATH,
  body,
  ...(word !== "reject" && { bodyOptional: true as const }),
  answer: ONE,
  run: async ({ caller, path, body: sent, write }) => {
    const id = idIn(path, "pushed_lead_id");
    let promised: Promised | undefined;
    const told = await write(async (db) => {
      const scope = scopeOf(db, caller);
      const decided = await decide(scope, deps, authorOf(caller), id, read(sent));
      promised = decided.promised;
      return tellOne(scope, decided.lead);
    });
    if (promised === undefined) return told;
    // The endpoint is called once the promise has committed, and waited for out here.
    const scope = scopeOf(deps.db.sql, caller);
    return tellOne(scope, await awaitPromised(scope, deps, id, promised));
  },
});

async function tellOne(scope: Scope, lead: PushedLead): Promise<unknown> {
  const [told] = await tellTenant(scope, [lead]);
  return told;
}

const batchOf = (deps: ReviewRoutesDeps): ReviewOperation => ({
  ...COMMON,
  method: "POST",
  url: `${LEADS}/batch`,
  id: "decide_pushed_leads",
  summary: "Decide up to 500 pushed leads, each by itself; one result for each, in their order",
  body: deps.shapes.batch,
  bodyLimit_bytes: BATCH_BYTES_MAX,
  answer: {
    type: "array",
    items: {
      type: "object",
      properties: {
        id: { type: "string" },
        ok: { type: "boolean" },
        status: { type: ["string", "null"], description: "Its state now." },
        imported_lead_id: { type: ["string", "null"] },
        code: { type: "integer", description: "What its own answer would have been." },
        detail: { type: "string", description: "Why it was not done." },
      },
      required: ["id", "ok", "status"],
      additionalProperties: true,
    },
  },
  run: async ({ caller, body, request, write }) => {
    const { ids, action, reason } = body as unknown as BatchBody;
    const decision: Decision =
      action === "reject" ? { action, reason: String(reason) } : { action };
    const note = (error: unknown) => request.log.error({ err: error }, "a decision failed");
    const noting = { ...deps, note };
    const author = authorOf(caller);
    return write((db) => decideMany(scopeOf(db, caller), noting, author, ids, decision));
  },
});

interface BatchBody {
  readonly ids: readonly string[];
  readonly action: Decision["action"];
  readonly reason?: string;
}

const ANALYTICS_PARAMETERS = {
  ...DATE_PARAMETERS,
  partner_id: { kind: "text", max: 100, description: "One partner; all of them without." },
} as const satisfies Parameters;

const analyticsOf = ({ db, clock }: ReviewRoutesDeps): ReviewOperation => ({
  method: "GET",
  url: "/crm/admin/analytics",
  id: "get_analytics",
  summary: "Counts of pushed leads and what partners earn: of all of them, or of one",
  tag: "review",
  permission: "admin",
  query: ANALYTICS_PARAMETERS,
  answer: { $ref: "Analytics#" },
  run: async ({ caller, query }) => {
    const scope = scopeOf(db.lists, caller);
    const { partner_id } = query as { readonly partner_id?: string };
    const partner = partner_id === undefined ? undefined : await findPartner(scope, partner_id);
    if (partner_id !== undefined && partner === undefined) throw new AppError("not_found");
    const analytics = await readAnalytics(scope, {
      partner_id,
      span: spanBetween(query),
      now_s: epochSeconds(clock),
    });
    const commission_rate = partner === undefined ? null : Number(partner.commission_rate);
    return { ...analytics, commission_rate, currency: caller.tenant.currency };
  },
});
