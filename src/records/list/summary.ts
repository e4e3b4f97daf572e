/**
 * Counts and sums the records that a list would select, by field, by period, or both. A single statement reads only
 * columns, not bodies. Planning needs no database and is the last step that can fail with 422. docs/summaries.md
 * describes summaries for integrators.
 */

import sql, { join, raw, type Sql } from "sql-template-tag";
import { type Tenant, isTimezone, TIMEZONE } from "../../tenants/index.ts";
import type { Scope, TenantId } from "../../audit/index.ts";
import { runRaw } from "../../platform/database/index.ts";
import { isUnknownValue } from "../../platform/failed-statements/index.ts";
import {
  gatherIssues,
  type Given,
  type Parameters,
  type Schema,
} from "../../platform/validation/index.ts";
import {
  boolean,
  integer,
  nullable,
  number,
  objectSchema,
  string,
} from "../../platform/schemas/index.ts";
import { queryError } from "../../platform/paging/index.ts";
import { asTooSlow } from "./too-slow.ts";
import { type Listing, type RecordType } from "../types/index.ts";
import { compileFilter } from "../filter/index.ts";
import { CHOOSING_PARAMETERS } from "./export.ts";
import { spanBetween, type Span } from "./window.ts";
import { groupColumns, momentColumns, sumColumns } from "../columns/index.ts";

const INTERVALS = ["day", "week", "month", "quarter", "year"] as const;
const ON = "created_ts";
const GROUPS = 100;
const GROUPS_MAX = 1000;

const PLAIN_PARAMETERS = {
  interval: {
    kind: "choice",
    of: INTERVALS,
    description: "The length of the periods; weeks start on Monday. Default: one period.",
  },
  timezone: {
    kind: "text",
    max: 100,
    description:
      "The time zone of the periods, an IANA name. Default: the time zone of the tenant.",
  },
  ...CHOOSING_PARAMETERS,
  limit: {
    kind: "integer",
    min: 1,
    max: GROUPS_MAX,
    fallback: GROUPS,
    description: "The maximum number of groups. `truncated` states whether there are more.",
  },
} as const satisfies Parameters;

/** Returns the parameters of a type's summary. Types without amounts have no `sum` parameter. */
export function summaryParameters(type: RecordType) {
  const sums = [...sumColumns(type).keys()];
  return {
    group_by: {
      kind: "choice",
      of: [...groupColumns(type).keys()],
      description: "The field whose values define the groups. Default: one group.",
    },
    on: {
      kind: "choice",
      of: [...momentColumns(type).keys()],
      description: `The timestamp that periods and the date range apply to. Default: \`${ON}\`.`,
    },
    ...(sums.length > 0 && {
      sum: { kind: "choice", of: sums, description: "The amount to add up." },
    }),
    ...PLAIN_PARAMETERS,
  } as const satisfies Parameters;
}

type SummaryQuery = Given<ReturnType<typeof summaryParameters>>;

interface SummaryPlan {
  readonly type: RecordType;
  readonly period: Sql;
  readonly value: Sql;
  /** The sum to compute. Undefined if nothing is summed. */
  readonly sum: Sql | undefined;
  readonly where: Sql;
  readonly limit: number;
  readonly timezone: string;
}

/** Plans a summary for a tenant. Throws one error that reports all invalid parameters. */
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

const unknownTimezone = (input: string) =>
  queryError("timezone", input, `this is not a ${TIMEZONE}`);

/** Returns the column with a name that has already been validated. */
function columnIn(columns: ReturnType<typeof groupColumns>, name: string): Sql {
  const column = columns.get(name);
  if (column === undefined) throw new Error(`There is no column for ${name}`);
  return raw(column.name);
}

const periodSql = (on: Sql, interval: string, timezone: string): Sql =>
  sql`date_trunc(${interval}, to_timestamp(${on}::double precision) at time zone ${timezone})::date`;

/** Both ends are inclusive. The range includes fractions of the last second. */
const spanSql = (on: Sql, { from, to }: Span): readonly Sql[] => [
  ...(from === undefined ? [] : [sql`${on} >= ${from}::bigint`]),
  ...(to === undefined ? [] : [sql`${on} < ${to + 1}::bigint`]),
];

/** Newest periods first. Within a period, largest groups first. */
const ORDER = raw("period desc nulls last, count desc, value");

/** PostgreSQL writes the JSON, so that sums stay exact regardless of their number of digits. */
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

const ADVICE = "limit it with start_date and end_date, or filter without $regex and $not";

/** Returns a summary as JSON. `scope.db` is the pool for composed queries. Throws 422 if the query takes too long. */
export async function readSummary(
  { db, tenantId }: Scope,
  plan: SummaryPlan,
  { currency }: Tenant,
): Promise<string> {
  const query = summarySql(tenantId, plan);
  const [row] = await runRaw(db, query, { prepare: false }).catch((error: unknown) => {
    // The database's time zone data may be older than Node's.
    if (isUnknownValue(error)) throw unknownTimezone(plan.timezone);
    throw asTooSlow(error, ADVICE);
  });
  const [groups, found, count, sum] = (row?.columnsFrom(0) ?? []).map((column) =>
    column?.toString("utf8"),
  );
  const truncated = Number(found) > plan.limit;
  const told = plan.sum === undefined ? null : (sum ?? 0);
  return (
    `{"groups":[${groups ?? ""}],"truncated":${truncated},"total":{"count":${count},"sum":${told}},` +
    `"timezone":${JSON.stringify(plan.timezone)},"currency":${JSON.stringify(currency)}}`
  );
}

const COUNT: Schema = integer("The number of records.");
const SUM: Schema = nullable(number("The sum of the amount; null if you did not request it."));

export const SUMMARY_SCHEMA: Schema = {
  title: "RecordSummary",
  ...objectSchema({
    groups: {
      type: "array",
      items: objectSchema({
        period: nullable(
          string(
            "The first day of the period; null without `interval` or if the records have no such date.",
            { format: "date" },
          ),
        ),
        value: {
          type: ["string", "number", "boolean", "null"],
          description: "The value of the field; null without `group_by` or if the field is null.",
        },
        count: COUNT,
        sum: SUM,
      }),
      description: "The groups.",
    },
    truncated: boolean("Whether there are more groups than `limit`."),
    total: {
      type: "object",
      required: ["count", "sum"],
      description: "The total of all groups, including those beyond `limit`.",
      properties: { count: COUNT, sum: SUM },
    },
    timezone: string("The time zone of the periods."),
    currency: string("The currency of amounts, an ISO 4217 code such as USD."),
  }),
};
