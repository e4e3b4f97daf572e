/** A planned list → its SQL. Pure: which pool runs it, and with which plan, is decided in read-page.ts. */

import sql, { join, raw, type Sql } from "sql-template-tag";
import type { TenantId } from "../../audit/index.ts";
import type { KeyLookUp } from "../filter/index.ts";
import type { ListPlan } from "./plan.ts";
import { orderSql, rangesAfter, type Order } from "./sort.ts";

/**
 * From so many skipped records on a page finds its ids first, if it skips so many times its own size:
 * measured, the way there is shorter then than the second look at each record of the page.
 */
const DEEP_OFFSET = 1000;
const DEEP_PAGES = 4;

/**
 * The query of `limit` records from the plan's place on: the body, then the keys of the order. A deep page
 * skips in the index if that has all that the list asks for, and reads records for the page alone.
 */
export function pageSql(
  tenantId: TenantId,
  plan: ListPlan,
  limit: number,
  place = plan.place,
): Sql {
  const { type, shown, order, offset } = plan;
  if (offset < Math.max(DEEP_OFFSET, DEEP_PAGES * limit)) {
    return rowsSql(tenantId, plan, limit, place);
  }
  const keysAlone = rowsSql(tenantId, { ...plan, shown: { show: raw("null") } }, limit, place);
  return sql`
    select found.body, ${keysOf(order)} from (${keysAlone}) page, lateral (
      select ${shown.show} as body from ${raw(type.table)} where tenant_id = ${tenantId} and id = page.id) found
     order by ${orderSql(order)}`;
}

const keysOf = (order: Order): Sql => raw(order.map(({ column }) => column.name).join(", "));

function rowsSql(tenantId: TenantId, plan: ListPlan, limit: number, place: ListPlan["place"]): Sql {
  const { spans, order, offset } = plan;
  const keys = keysOf(order);
  const select = selectSql(tenantId, plan);
  const ranges = rangesOf(order, place);
  const [first = raw("false"), ...others] = ranges.flatMap((range) =>
    spans.map((span) => sql`${span} and ${range}`),
  );
  const by = sql`order by ${orderSql(order)}`;
  const skip = offset > 0 ? sql`offset ${offset}` : raw("");
  if (others.length === 0) return sql`${select} and ${first} ${by} limit ${limit} ${skip}`;
  const parts = [first, ...others].map(
    (part) => sql`(${select} and ${part} ${by} limit ${limit + offset})`,
  );
  return sql`select body, ${keys} from (${join(parts, " union all ")}) parts ${by} limit ${limit} ${skip}`;
}

const selectSql = (tenantId: TenantId, { type, shown, where, order }: ListPlan): Sql =>
  sql`select ${shown.show} as body, ${keysOf(order)} from ${raw(type.table)} where tenant_id = ${tenantId} and ${where}`;

const rangesOf = (order: Order, place: ListPlan["place"]): readonly Sql[] =>
  place === undefined ? [raw("true")] : rangesAfter(order, place);

/** Up to so many records that a look-up finds are read and sorted. */
const FOUND_MAX = 1000;

/**
 * The records of `pageSql`, of those that the plan's look-up by key finds; a row of nulls follows if it finds more than
 * FOUND_MAX. Its plan can be kept, whatever the values are: no more than FOUND_MAX records are read.
 *
 * Few records have an address, but the planner reckons with one in 200 for each that is asked for, and
 * then prefers to walk the list from its beginning, a million rows for want of 50. So what is found by
 * key comes first. Where that is much (everybody's "none@example.com") the list is walked after all.
 */
export function foundSql(
  tenantId: TenantId,
  plan: ListPlan & { readonly lookUp: KeyLookUp },
  limit: number,
  place = plan.place,
): Sql {
  const { type, spans, lookUp, order, offset } = plan;
  const page = sql`
    ${selectSql(tenantId, plan)} and id = any (array(select id from found))
      and (${join(spans, " or ")}) and (${join(rangesOf(order, place), " or ")})
    order by ${orderSql(order)} limit ${limit} offset ${offset}`;
  const nulls = Array(order.length + 1).fill("null");
  return sql`
    with found as materialized (
      select one.id from unnest(array[${join(lookUp.keys)}]) as given(key),
             lateral (select id from ${raw(type.table)}
                       where tenant_id = ${tenantId} and ${lookUp.column} @> array[given.key] offset 0) one
       limit ${FOUND_MAX + 1})
    (${page})
    union all (select ${raw(nulls.join(", "))} from found offset ${FOUND_MAX} limit 1)`;
}

export const countSql = (tenantId: TenantId, plan: ListPlan): Sql =>
  sql`select count(*) from ${raw(plan.type.table)} where tenant_id = ${tenantId} and ${chosenBy(plan)}`;

/** Whether a record is on the list. */
export const chosenBy = ({ where, spans }: ListPlan): Sql =>
  sql`${where} and (${join(spans, " or ")})`;
