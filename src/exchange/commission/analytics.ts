/**
 * Counts pushed leads by their current state and sums the earnings from won deals. Sums are exact: PostgreSQL adds them
 * as `numeric`, and only the total is rounded (half to even).
 */

import Big from "big.js";
import sql, { join, raw, type Sql } from "sql-template-tag";
import type { Scope } from "../../audit/index.ts";
import { run } from "../../platform/database/index.ts";
import type { JsonObject } from "../../platform/json/index.ts";
import { integer, nullable, number, objectSchema, string } from "../../platform/schemas/index.ts";
import type { Span } from "../../records/list/index.ts";
import { hasExpired, type PushedStatus, STATUSES } from "../pushed-leads/index.ts";

/** Maps each state to the response member that contains its count. */
const COUNTED = {
  pending: "pending_review",
  accepted: "accepted",
  imported: "imported",
  rejected: "rejected",
  expired: "expired",
} as const satisfies Record<PushedStatus, string>;

const CENTS = 2;

export interface AnalyticsQuery {
  /** Limits the result to the leads and earnings of this partner. Default: all partners. */
  readonly partner_id?: string | undefined;
  readonly span: Span;
  readonly now_s: number;
}

/** Returns the counts of leads by submission date, and earnings by close date. */
export async function readAnalytics(scope: Scope, query: AnalyticsQuery): Promise<JsonObject> {
  const [counts, earnings] = await Promise.all([
    countStates(scope, query),
    sumEarnings(scope, query),
  ]);
  const told = STATUSES.map((status) => [COUNTED[status], counts.get(status) ?? 0] as const);
  return {
    total_pushed: told.reduce((total, [, count]) => total + count, 0),
    ...Object.fromEntries(told),
    estimated_earnings: earnings,
  };
}

const within = (column: string, { from, to }: Span): Sql =>
  join(
    [
      raw("true"),
      ...(from === undefined ? [] : [sql`${raw(column)} >= ${from}::bigint`]),
      ...(to === undefined ? [] : [sql`${raw(column)} < ${to + 1}::bigint`]),
    ],
    " and ",
  );

const isOf = (column: string, partner_id: string | undefined): Sql =>
  partner_id === undefined ? raw("true") : sql`${raw(column)} = ${partner_id}`;

async function countStates(
  { db, tenantId }: Scope,
  { partner_id, span, now_s }: AnalyticsQuery,
): Promise<ReadonlyMap<PushedStatus, number>> {
  const rows = await run<{ present: PushedStatus; count: number }[]>(
    db,
  )`select case when status = 'pending' and (${hasExpired(now_s)} or erased_ts is not null)
                    then 'expired' else status end as present, count(*)::integer as count
          from pushed_leads
         where tenant_id = ${tenantId} and ${isOf("partner_id", partner_id)}
           and ${within("submitted_ts", span)}
         group by 1`;
  return new Map(rows.map(({ present, count }) => [present, count]));
}

async function sumEarnings(
  { db, tenantId }: Scope,
  { partner_id, span }: AnalyticsQuery,
): Promise<number> {
  const [row] = await run(
    db,
  )`select coalesce(sum(d.value_of_sale * a.commission_rate), 0)::text as percents
          from attributed_deals a
          join deals d on d.tenant_id = a.tenant_id and d.id = a.deal_id
         where a.tenant_id = ${tenantId} and ${isOf("a.partner_id", partner_id)}
           and d.stage = 'closed_won' and ${within("d.close_date", span)}`;
  const percents = new Big(String(row?.["percents"] ?? 0));
  // Multiply by 0.01, because dividing by 100 would truncate the result to twenty decimal places.
  return percents.times("0.01").round(CENTS, Big.roundHalfEven).toNumber();
}

const count = (of: string) => integer(`The number of ${of} leads.`, { minimum: 0 });

/** The analytics in responses to both tenants and partners. */
export const ANALYTICS_SCHEMA = objectSchema({
  total_pushed: count("pushed"),
  ...Object.fromEntries(Object.entries(COUNTED).map(([status, name]) => [name, count(status)])),
  commission_rate: nullable(
    number("The current commission rate in percent; null for all partners combined."),
  ),
  currency: string("An ISO 4217 code, such as USD."),
  estimated_earnings: number(
    "The sum of `value_of_sale` × `commission_rate` over won deals. Each deal uses the rate " +
      "from the time it was created.",
  ),
});
