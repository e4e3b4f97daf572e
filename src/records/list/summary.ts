/**
 * Counts and sums of the records that a list would select: by a field, by periods of time, or both. One
 * statement over the columns beside the bodies; no body is read. Planning is pure, and the last place
 * that says 422 about what was asked. The page for integrators is docs/summaries.md.
 */

import sql, { join, raw, type Sql } from "sql-template-tag";
import { isTimezone, TIMEZONE, type Tenant } from "../../access/index.ts";
import type { Scope, TenantId } from "../../audit/index.ts";
import { isUnknownValue, run } from "../../platform/database/index.ts";
import {
  gatherIssues,
  type Given,
  type Parameters,
  queryError,
  type Schema,
} from "../../platform/validation/index.ts";
import { asTooSlow } from "../../platform/http/index.ts";
import { type Listing, type RecordType } from "../types/index.ts";
import { compileFilter } from "../filter/index.ts";
import { CHOOSING_PARAMETERS } from "./export.ts";
import { spanBetween, type Span } from "./window.ts";
import { groupColumns, momentColumns, sumColumns } from "../shape/index.ts";

const INTERVALS = ["day", "week", "month", "quarter", "year"] as const;
const ON = "created_ts";
const GROUPS = 100;
const GROUPS_MAX = 1000;

const PLAIN_PARAMETERS = {
  interval: {
    kind: "choice",
    of: INTERVALS,
    description: "Into which periods `on` is parted; a week begins on Monday. One period without.",
  },
  timezone: {
    kind: "text",
    max: 100,
    description: "Where periods begin: an IANA name. The tenant's time zone without.",
  },
  ...CHOOSING_PARAMETERS,
  limit: {
    kind: "integer",
    min: 1,
    max: GROUPS_MAX,
    fallback: GROUPS,
    description: "How many groups at most; `truncated` tells whether there are more.",
  },
} as const satisfies Parameters;

/** What a summary of this type takes. A type without amounts has no `sum`. */
export function summaryParameters(type: RecordType) {
  const sums = [...sumColumns(type).keys()];
  return {
    group_by: {
      kind: "choice",
      of: [...groupColumns(type).keys()],
      description: "The field by whose values records are counted. One group without.",
    },
    on: {
      kind: "choice",
      of: [...momentColumns(type).keys()],
      description: `The moment by which periods and dates select; ${ON} without.`,
    },
    ...(sums.length > 0 && {
      sum: { kind: "choice", of: sums, description: "The amount that is added up." },
    }),
    ...PLAIN_PARAMETERS,
  } as const satisfies Parameters;
}

type SummaryQuery = Given<ReturnType<typeof summaryParameters>>;

interface SummaryPlan {
  readonly type: RecordType;
  readonly period: Sql;
  readonly value: Sql;
  /** None where nothing is added up. */
  readonly sum: Sql | undefined;
  readonly where: Sql;
  readonly limit: number;
  readonly timezone: string;
}

/** Plans a summary of one tenant; throws everything that is wrong with what was asked. */
export function planSummary(
  type: RecordType,
  query: SummaryQuery,
  { default_country: country, timezone: ownTimezone }: Tenant,
): SummaryPlan {
  const { attempt, finish } = gatherIssues();
  const { match_filter_dict: filter, eval_object_id: evalObjectId = false } = query;
  const { timezone = ownTimezone, interval, limit = GROUPS } = query;
  const listing = type.lists["all"] as Listing;
  const context = { type, listing, evalObjectId, country };
  attempt(() => {
    if (!isTimezone(timezone)) throw unknownTimezone(timezone);
  }, undefined);
  const matching = attempt(
    () => (filter === undefined ? undefined : compileFilter(filter, context)),
    undefined,
  );
  const span = attempt(() => spanBetween(query), {});
  finish();
  const on = columnIn(momentColumns(type), query.on ?? ON);
  const by = query.group_by;
  const conditions = [...spanSql(on, span), matching?.condition];
  return {
    type,
    period: interval === undefined ? raw("null::date") : periodSql(on, interval, timezone),
    value: by === undefined ? raw("null::text") : columnIn(groupColumns(type), by),
    sum:
      query.sum === undefined
        ? undefined
        : sql`coalesce(sum(${columnIn(sumColumns(type), query.sum)}), 0)`,
    where: join([raw("true"), ...conditions.filter((part) => part !== undefined)], " and "),
    limit,
    timezone,
  };
}

const unknownTimezone = (input: string) => queryError("timezone", input, `this is no ${TIMEZONE}`);

/** The column of a name that the parameters let through. */
function columnIn(columns: ReturnType<typeof groupColumns>, name: string): Sql {
  const column = columns.get(name);
  if (column === undefined) throw new Error(`There is no column for ${name}`);
  return raw(column.name);
}

const periodSql = (on: Sql, interval: string, timezone: string): Sql =>
  sql`date_trunc(${interval}, to_timestamp(${on}::double precision) at time zone ${timezone})::date`;

/** Both ends are inclusive; what is within the last second, by a fraction, is within. */
const spanSql = (on: Sql, { from, to }: Span): readonly Sql[] => [
  ...(from === undefined ? [] : [sql`${on} >= ${from}::bigint`]),
  ...(to === undefined ? [] : [sql`${on} < ${to + 1}::bigint`]),
];

/** The newest period first, within it the largest group. */
const ORDER = raw("period desc nulls last, count desc, value");

/** PostgreSQL writes the JSON: sums stay exact however many digits they have. */
const summarySql = (
  tenantId: TenantId,
  { type, period, value, sum, where, limit }: SummaryPlan,
) => sql`
  with summed as materialized (
    select ${period} as period, ${value} as value, count(*) as count,
           ${sum ?? raw("null::numeric")} as sum
      from ${raw(type.table)} where tenant_id = ${tenantId} and ${where} group by 1, 2),
  shown as (
    select period, value, count, trim_scale(sum) as sum from summed order by ${ORDER} limit ${limit})
  select (select string_agg(row_to_json(shown)::text, ',' order by ${ORDER}) from shown),
         count(*)::text, coalesce(sum(count), 0)::text, trim_scale(sum(sum))::text
    from summed`;

const ADVICE = "bound it by start_date and end_date, or filter without $regex or $not";

/** A summary as JSON. `scope.db` is the pool of composed queries. Throws 422 where it takes too long. */
export async function readSummary(
  { db, tenantId }: Scope,
  plan: SummaryPlan,
  { currency }: Tenant,
): Promise<string> {
  const rows = await run(db, summarySql(tenantId, plan), { prepare: false })
    .values()
    .catch((error: unknown) => {
      // Its time zones may be older than ours.
      if (isUnknownValue(error)) throw unknownTimezone(plan.timezone);
      throw asTooSlow(error, ADVICE);
    });
  const [groups, found, count, sum] = rows[0] as unknown as readonly (string | null)[];
  const truncated = Number(found) > plan.limit;
  const told = plan.sum === undefined ? null : (sum ?? 0);
  return (
    `{"groups":[${groups ?? ""}],"truncated":${truncated},"total":{"count":${count},"sum":${told}},` +
    `"timezone":${JSON.stringify(plan.timezone)},"currency":${JSON.stringify(currency)}}`
  );
}

const COUNT: Schema = { type: "integer" };
const SUM: Schema = { type: ["number", "null"], description: "Null where none was asked for." };

export const SUMMARY_SCHEMA: Schema = {
  title: "RecordSummary",
  type: "object",
  properties: {
    groups: {
      type: "array",
      items: {
        type: "object",
        properties: {
          period: {
            type: ["string", "null"],
            format: "date",
            description: "Its first day; null without `interval`, and where the moment is null.",
          },
          value: {
            type: ["string", "number", "boolean", "null"],
            description: "Null without `group_by`, and where the field is null.",
          },
          count: COUNT,
          sum: SUM,
        },
        required: ["period", "value", "count", "sum"],
      },
    },
    truncated: { type: "boolean", description: "Whether there are more groups than `limit`." },
    total: {
      type: "object",
      properties: { count: COUNT, sum: SUM },
      required: ["count", "sum"],
      description: "Of all groups, shown or not.",
    },
    timezone: { type: "string" },
    currency: { type: "string" },
  },
  required: ["groups", "truncated", "total", "timezone", "currency"],
};
