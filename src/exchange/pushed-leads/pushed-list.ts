/** Lists pushed leads for the partner that pushed them and for the tenant. */

import sql, { join, raw, type Sql } from "sql-template-tag";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Scope } from "../../audit/index.ts";
import { columns, run } from "../../platform/database/index.ts";
import { namesOf } from "../../platform/json/index.ts";
import type { Given, Parameters } from "../../platform/validation/index.ts";
import {
  linkNext,
  PAGE_PARAMETERS,
  pageOf,
  sliceOf,
  sendCount,
  wantsCount,
} from "../../platform/paging/index.ts";
import { DATE_PARAMETERS, spanBetween } from "../../records/list/index.ts";
import { STATUSES } from "./states.ts";
import {
  hasStatus,
  NOT_ERASED,
  PARTNER_FIELDS,
  type PushedLead,
  readPushed,
  TENANT_FIELDS,
} from "./pushed-lead.ts";

export const PUSHED_PATH = {
  pushed_lead_id: { kind: "text", max: 100, description: "The id of the pushed lead." },
} as const satisfies Parameters;

const COMMON_PARAMETERS = {
  status: { kind: "choice", of: STATUSES, description: "The status of the leads." },
  source: { kind: "text", max: 100, description: "The source of the leads." },
  ...DATE_PARAMETERS,
  ...PAGE_PARAMETERS,
} as const satisfies Parameters;

export const PUSHED_PARAMETERS = {
  ...COMMON_PARAMETERS,
  ...PARTNER_FIELDS,
} as const satisfies Parameters;

interface PushedOrder {
  readonly by: Sql;
  /**
   * Selects the leads that come after a given lead in the sort order. The lead is given by its id and, if the order has
   * one, its sort key.
   */
  readonly after: (id: string, key: string | undefined) => Sql;
  readonly keyOf?: (lead: PushedLead) => string;
  readonly isKey?: (key: string | undefined) => boolean;
}

const NEVER = "infinity";
/** Must match the index expression in migration 018 exactly, so that PostgreSQL uses that index. */
const EXPIRY = raw(`coalesce(p.expiration_ts, '${NEVER}'::double precision)`);

/** The buffer's sort orders. In `expiring`, leads without an expiration date come last, oldest first. */
const ORDERS: Readonly<Record<"newest" | "oldest" | "expiring", PushedOrder>> = {
  newest: { by: raw("p.id desc"), after: (id) => sql`p.id < ${id}` },
  oldest: { by: raw("p.id"), after: (id) => sql`p.id > ${id}` },
  expiring: {
    by: sql`${EXPIRY}, p.id`,
    after: (id, key) => sql`(${EXPIRY}, p.id) > (${key}::text::double precision, ${id})`,
    keyOf: ({ expiration_ts }) => String(expiration_ts ?? NEVER),
    isKey: (key) => key === NEVER || /^\d{1,15}(?:\.\d{1,20})?$/.test(key ?? ""),
  },
};
const DEFAULT_ORDER = "newest";

export const REVIEW_PARAMETERS = {
  ...COMMON_PARAMETERS,
  ...TENANT_FIELDS,
  partner_id: { kind: "text", max: 100, description: "The partner that pushed the leads." },
  possible_duplicate: {
    kind: "boolean",
    description: "Whether the email or phone number was already known. Default: both.",
  },
  order: {
    kind: "choice",
    of: namesOf(ORDERS),
    description: `The sort order: newest first, or leads that expire first (\`expiring\`). Default: \`${DEFAULT_ORDER}\`.`,
  },
} as const satisfies Parameters;

export type PushedQuery = Partial<Given<typeof REVIEW_PARAMETERS>>;

/**
 * Returns a page of pushed leads, adds the link to the next page, and sends the total if requested. Throws 422 for
 * invalid parameters.
 */
export async function listPushed(
  scope: Scope,
  now_s: number,
  query: PushedQuery,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
): Promise<readonly PushedLead[]> {
  const { order = DEFAULT_ORDER } = query;
  const { by, after, keyOf, isKey } = ORDERS[order];
  // Explicitly requesting the default order must not change the cursor's fingerprint.
  const asked = order === DEFAULT_ORDER ? { ...query, order: undefined } : query;
  const slice = sliceOf(asked, isKey);
  const { limit, offset, before, key } = slice;
  const conditions = conditionsOf(query, now_s);
  if (wantsCount(request)) sendCount(reply, await countPushed(scope, conditions));
  const where = before === undefined ? conditions : [...conditions, after(before, key)];
  const rows = await readPushed(scope, now_s, { where, order: by, limit, offset });
  const { entries, next } = pageOf(rows, slice, keyOf);
  linkNext(request, reply, next);
  return entries;
}

async function countPushed({ db, tenantId }: Scope, where: readonly Sql[]): Promise<number> {
  const [row] = await run(db)`select count(*) from pushed_leads p
         where p.tenant_id = ${tenantId} and ${join([NOT_ERASED, ...where], " and ")}`;
  return Number(row?.["count"]);
}

/** Parameters that are compared for equality. */
const EQUAL = ["source", "partner_id", "possible_duplicate"] as const;

function conditionsOf(query: PushedQuery, now_s: number): readonly Sql[] {
  const { status, start_date, end_date } = query;
  const { from, to } = spanBetween({ start_date, end_date });
  return [
    status === undefined ? undefined : hasStatus(status, now_s),
    ...EQUAL.map((name) =>
      query[name] === undefined ? undefined : sql`${columns([`p.${name}`])} = ${query[name]}`,
    ),
    from === undefined ? undefined : sql`p.submitted_ts >= ${from}::bigint`,
    to === undefined ? undefined : sql`p.submitted_ts <= ${to}::bigint`,
  ].filter((condition) => condition !== undefined);
}
