/** Lists of pushed leads, for the partner who pushed them and for the tenant (D8.9, D9.3). */

import sql, { type Sql } from "sql-template-tag";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Scope } from "../audit/index.ts";
import { linkNext, PAGE_PARAMETERS, pageOf, sliceOf } from "../platform/paging.ts";
import type { Given, Parameters } from "../platform/parameters.ts";
import { DATE_PARAMETERS, spanBetween } from "../records/index.ts";
import { STATUSES, type PushedStatus } from "./lead-machine.ts";
import { hasStatus, readPushed, type PushedLead } from "./pushed-lead.ts";

export const PUSHED_PARAMETERS = {
  status: { kind: "choice", of: STATUSES, description: "The present state." },
  source: { kind: "text", max: 100, description: "The marketing source." },
  ...DATE_PARAMETERS,
  ...PAGE_PARAMETERS,
} as const satisfies Parameters;

export const REVIEW_PARAMETERS = {
  ...PUSHED_PARAMETERS,
  partner_id: { kind: "text", max: 100, description: "Who pushed them." },
  possible_duplicate: {
    kind: "boolean",
    description: "Whether somebody with this address or number was known already.",
  },
} as const satisfies Parameters;

export type PushedQuery = Partial<Given<typeof REVIEW_PARAMETERS>>;

/** A page, newest first; adds the link to the next one. Throws 422 for what contradicts itself. */
export async function listPushed(
  scope: Scope,
  now_s: number,
  query: PushedQuery,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
): Promise<readonly PushedLead[]> {
  const slice = sliceOf(query);
  const { limit, offset, before } = slice;
  const after = before === undefined ? [] : [sql`p.id < ${before}`];
  const where = [...conditionsOf(query, now_s), ...after];
  const { entries, next } = pageOf(await readPushed(scope, now_s, { where, limit, offset }), slice);
  linkNext(request, reply, next);
  return entries;
}

function conditionsOf(query: PushedQuery, now_s: number): readonly Sql[] {
  const { status, source, partner_id, possible_duplicate } = query;
  const { start_date, end_date } = query;
  const { from, to } = spanBetween({ start_date, end_date });
  return [
    status === undefined ? undefined : hasStatus(status as PushedStatus, now_s),
    source === undefined ? undefined : sql`p.source = ${source}`,
    partner_id === undefined ? undefined : sql`p.partner_id = ${partner_id}`,
    possible_duplicate === undefined
      ? undefined
      : sql`p.possible_duplicate = ${possible_duplicate}`,
    from === undefined ? undefined : sql`p.submitted_ts >= ${from}::bigint`,
    to === undefined ? undefined : sql`p.submitted_ts <= ${to}::bigint`,
  ].filter((condition) => condition !== undefined);
}
