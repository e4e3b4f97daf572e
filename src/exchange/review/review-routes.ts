/** Operations on a tenant's buffer, and the analytics of all its partners. */

import { scopeOf, type Caller } from "../../access/index.ts";
import type { Scope } from "../../audit/index.ts";
import { epochSeconds } from "../../platform/clock/index.ts";
import { idIn } from "../../platform/ids/index.ts";
import type { Database } from "../../platform/database/index.ts";
import { AppError } from "../../platform/errors/index.ts";
import { choosing } from "../../platform/json/index.ts";
import { type BodyShape, type Operation, operation } from "../../platform/operations/index.ts";
import type { Parameters, Schema } from "../../platform/validation/index.ts";
import {
  boolean,
  integer,
  nullable,
  objectSchema,
  type Schemas,
  string,
} from "../../platform/schemas/index.ts";
import { authorOf } from "../../records/routes/index.ts";
import { DATE_PARAMETERS, spanBetween } from "../../records/list/index.ts";
import { readAnalytics } from "../commission/index.ts";
import { findPartner, type PartnerShapes } from "../partners/index.ts";
import type { ReviewShapes } from "./review-bodies.ts";
import type { Queued } from "./import-lead.ts";
import { POSSIBLE_DUPLICATE_SCHEMA, findPossibleDuplicates } from "./possible-duplicates.ts";
import {
  findPushed,
  listPushed,
  PUSHED_PATH,
  type PushedLead,
  REVIEW_PARAMETERS,
} from "../pushed-leads/index.ts";
import { withDeliveries } from "./webhook-import.ts";
import { reviewStreamOf, type ReviewStreamDeps } from "./review-stream.ts";
import { awaitOutcome, decide, decideMany, type Decision, type ReviewDeps } from "./review.ts";

export interface ReviewRoutesDeps extends ReviewDeps, ReviewStreamDeps {
  readonly db: Database;
  readonly shapes: ReviewShapes & Pick<PartnerShapes, "nothing">;
}

type ReviewOperation = Operation<Caller>;

const COMMON = { tag: "review", permission: "exchange:review" } as const;
const LEADS = "/crm/admin/pushed_leads";
const ONE: Schema = { $ref: "ReviewedLead#" };
const BATCH_BYTES_MAX = 16 * 1024 * 1024;

export function reviewOperations(deps: ReviewRoutesDeps): readonly ReviewOperation[] {
  const { nothing, reject } = deps.shapes;
  const plain = { body: nothing, bodyOptional: true } as const;
  return [
    listOf(deps),
    reviewStreamOf(deps),
    oneOf(deps),
    decisionOf(
      deps,
      { ...plain, summary: "Accept a pushed lead", description: "The lead must be pending." },
      "accept",
      () => ({
        action: "accept",
      }),
    ),
    decisionOf(
      deps,
      {
        body: reject,
        summary: "Reject a pushed lead",
        description: "The lead must be pending. Its partner sees the reason.",
      },
      "reject",
      ({ reason }) => ({ action: "reject", reason }),
    ),
    decisionOf(
      deps,
      {
        ...plain,
        summary: "Import a pushed lead",
        description:
          "The lead must be accepted. It becomes a lead in the CRM or, if an import webhook is " +
          "enabled, is sent to it.",
      },
      "import",
      () => ({
        action: "import",
      }),
    ),
    batchOf(deps),
    analyticsOf(deps),
  ];
}

const listOf = ({ db, clock }: ReviewRoutesDeps): ReviewOperation =>
  operation({
    ...COMMON,
    method: "GET",
    url: LEADS,
    id: "list_pushed_leads",
    isCounted: true,
    summary: "List pushed leads",
    description: "Lists the leads that partners pushed, newest first unless you set `order`.",
    query: REVIEW_PARAMETERS,
    answer: { type: "array", items: ONE },
    run: async ({ caller, query, request, reply }) => {
      const scope = scopeOf(db.lists, caller);
      const leads = await listPushed(scope, epochSeconds(clock), query, { request, reply });
      return (await withDeliveries(scope, leads)).map(choosing(query.fields));
    },
  });

const oneOf = ({ db, clock }: ReviewRoutesDeps): ReviewOperation =>
  operation({
    ...COMMON,
    method: "GET",
    url: `${LEADS}/:pushed_lead_id`,
    id: "get_pushed_lead",
    summary: "Get a pushed lead",
    description:
      "Returns a pushed lead with its possible duplicates among records and other pushed leads.",
    path: PUSHED_PATH,
    answer: {
      allOf: [
        ONE,
        objectSchema({
          resembles: {
            type: "array",
            items: POSSIBLE_DUPLICATE_SCHEMA,
            description: "Possible duplicates among records and other pushed leads.",
          },
        }),
      ],
    },
    run: async ({ caller, path }) => {
      const scope = scopeOf(db.sql, caller);
      const now_s = epochSeconds(clock);
      const lead = await findPushed(scope, now_s, idIn(path, "pushed_lead_id"));
      if (lead === undefined) throw new AppError("not_found");
      return {
        ...(await showOne(scope, lead)),
        resembles: await findPossibleDuplicates(scope, lead, now_s),
      };
    },
  });

const decisionOf = <B>(
  deps: ReviewRoutesDeps,
  described: {
    readonly summary: string;
    readonly description: string;
    readonly body: BodyShape<B>;
    readonly bodyOptional?: true;
  },
  word: Decision["action"],
  read: (body: B) => Decision,
): ReviewOperation =>
  operation({
    ...COMMON,
    method: "POST",
    url: `${LEADS}/:pushed_lead_id/${word}`,
    id: `${word}_pushed_lead`,
    ...described,
    path: PUSHED_PATH,
    answer: ONE,
    run: async ({ caller, path, body: sent, write }) => {
      const id = idIn(path, "pushed_lead_id");
      let queued: Queued | undefined;
      const shown = await write(async (db) => {
        const reviewer = { scope: scopeOf(db, caller), deps, author: authorOf(caller) };
        const decided = await decide(reviewer, id, read(sent));
        queued = decided.queued;
        return showOne(reviewer.scope, decided.lead);
      });
      if (queued === undefined) return shown;
      // The endpoint is called after the transaction that queues the delivery has committed, so wait for the outcome
      // outside that transaction.
      const scope = scopeOf(deps.db.sql, caller);
      return showOne(scope, await awaitOutcome(scope, deps, id, queued));
    },
  });

const showOne = async (scope: Scope, lead: PushedLead) => (await withDeliveries(scope, [lead]))[0];

const BATCH_RESULT = {
  id: string("The id of the lead."),
  ok: boolean("Whether the decision was applied."),
  status: nullable(string("The current status of the lead.")),
  imported_lead_id: nullable(
    string("The id of the lead that the import created; null if there is none."),
  ),
  code: integer(
    "If it was not applied: the status code that a request for this lead alone would return.",
  ),
  detail: string("Why the decision was not applied."),
} as const satisfies Schemas;

const batchOf = (deps: ReviewRoutesDeps): ReviewOperation =>
  operation({
    ...COMMON,
    method: "POST",
    url: `${LEADS}/batch`,
    id: "decide_pushed_leads",
    summary: "Decide on many pushed leads",
    description:
      "Accepts, rejects or imports up to 500 pushed leads and returns one result for each, in " +
      "the same order. Each lead is decided on separately.",
    body: deps.shapes.batch,
    bodyLimit_bytes: BATCH_BYTES_MAX,
    answer: {
      type: "array",
      items: {
        type: "object",
        required: ["id", "ok", "status"],
        additionalProperties: true,
        properties: BATCH_RESULT,
      },
    },
    run: async ({ caller, body, request, write }) => {
      const { ids, action, reason } = body;
      const decision = action === "reject" ? { action, reason: reason ?? "" } : { action };
      const note = (error: unknown) => request.log.error({ err: error }, "A decision failed");
      const reviewer = { deps: { ...deps, note }, author: authorOf(caller) };
      return write((db) => decideMany({ ...reviewer, scope: scopeOf(db, caller) }, ids, decision));
    },
  });

const ANALYTICS_PARAMETERS = {
  ...DATE_PARAMETERS,
  partner_id: { kind: "text", max: 100, description: "The partner. Default: all partners." },
} as const satisfies Parameters;

const analyticsOf = ({ db, clock }: ReviewRoutesDeps): ReviewOperation =>
  operation({
    method: "GET",
    url: "/crm/admin/analytics",
    id: "get_analytics",
    summary: "Get partner analytics",
    description: "Returns the counts of pushed leads and the earnings of all partners, or of one.",
    tag: "review",
    permission: "admin",
    query: ANALYTICS_PARAMETERS,
    answer: { $ref: "Analytics#" },
    failures: { 404: "The partner does not exist." },
    run: async ({ caller, query }) => {
      const scope = scopeOf(db.lists, caller);
      const { partner_id } = query;
      const partner = partner_id === undefined ? undefined : await findPartner(scope, partner_id);
      if (partner_id !== undefined && partner === undefined) throw new AppError("not_found");
      const analytics = await readAnalytics(scope, {
        partner_id,
        span: spanBetween(query),
        now_s: epochSeconds(clock),
      });
      const { commission_rate } = partner ?? { commission_rate: null };
      return { ...analytics, commission_rate, currency: caller.tenant.currency };
    },
  });
