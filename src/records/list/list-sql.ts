/** The SQL of a planned list. read-rows.ts chooses the pool and the kind of plan. */

import sql, { join, raw, type Sql } from "sql-template-tag";
import type { TenantId } from "../../audit/index.ts";
import type { KeyLookup } from "../filter/index.ts";
import type { ListPlan } from "./plan.ts";
import { orderSql, rangesAfter, type Order, type Place } from "./sort.ts";

/**
 * If a page skips at least this many records and at least DEEP_PAGES pages, only the index is scanned to find the ids,
 * and the page's records are read in a second step. Measurements show that this is faster for such pages.
 */
const DEEP_OFFSET = 1000;
const DEEP_PAGES = 4;

/** The maximum number of parameters to send with a statement. PostgreSQL's limit is 65,535. */
const PARAMETERS_MAX = 65_000;

/**
 * Returns the query for `limit` records after the plan's position. It selects the body and then the sort keys. For a
 * deep page, it skips entries within the index if the index covers the list, and reads only the page's records.
 */
export function pageSql(
  tenantId: TenantId,
  plan: ListPlan,
  limit: number,
  place: Place | undefined = plan.place,
): Sql {
  const { type, shown, order, offset, page } = plan;
  if (offset < DEEP_OFFSET || page <= DEEP_PAGES) {
    return rowsSql(tenantId, plan, limit, place);
  }
  const keysAlone = rowsSql(tenantId, { ...plan, shown: { show: raw("null") } }, limit, place);
  return sql`
    select found.body, ${keysOf(order)} from (${keysAlone}) page, lateral (
      select ${shown.show} as body from ${raw(type.table)} where tenant_id = ${tenantId} and id = page.id) found
     order by ${orderSql(order)}`;
}

const keysOf = (order: Order): Sql => raw(order.map(({ column }) => column.name).join(", "));

function rowsSql(tenantId: TenantId, plan: ListPlan, limit: number, place: Place | undefined): Sql {
  const { spans, order, offset } = plan;
  const keys = keysOf(order);
  const select = selectSql(tenantId, plan);
  const ranges = rangesOf(order, place);
  const parts = ranges.flatMap((range) => spans.map((span) => sql`${span} and ${range}`));
  const by = sql`order by ${orderSql(order)}`;
  const skip = offset > 0 ? sql`offset ${offset}` : raw("");
  if (parts.length > 1) {
    const selects = parts.map((part) => sql`(${select} and ${part} ${by} limit ${limit + offset})`);
    const union = sql`
      select body, ${keys} from (${join(selects, " union all ")}) parts ${by} limit ${limit} ${skip}`;
    // Each part repeats the values of the filter.
    if (union.values.length <= PARAMETERS_MAX) return union;
  }
  return sql`${select} and (${join(parts, " or ")}) ${by} limit ${limit} ${skip}`;
}

const selectSql = (tenantId: TenantId, { type, shown, where, order }: ListPlan): Sql =>
  sql`select ${shown.show} as body, ${keysOf(order)} from ${raw(type.table)} where tenant_id = ${tenantId} and ${where}`;

const rangesOf = (order: Order, place: Place | undefined): readonly Sql[] =>
  place === undefined ? [raw("true")] : rangesAfter(order, place);

/** Maximum number of records from a lookup to read and sort. */
const FOUND_MAX = 1000;

/**
 * Like `pageSql`, but only for records found by the plan's lookup by key. If the lookup finds more than FOUND_MAX
 * records, a row of nulls follows. PostgreSQL can reuse the query plan for all values, because the query never reads
 * more than FOUND_MAX records.
 *
 * Few records have a given address, but PostgreSQL's planner expects one in 200 to match. It therefore prefers to scan
 * the list from the start, which may read a million rows to find 50. So records are looked up by key first. The list is
 * scanned only if too many are found (a shared "none@example.com").
 */
export function foundSql(
  tenantId: TenantId,
  plan: ListPlan & { readonly lookup: KeyLookup },
  limit: number,
  place = plan.place,
): Sql {
  const { type, spans, lookup, order, offset } = plan;
  const page = sql`
    ${selectSql(tenantId, plan)} and id = any (array(select id from found))
      and (${join(spans, " or ")}) and (${join(rangesOf(order, place), " or ")})
    order by ${orderSql(order)} limit ${limit} offset ${offset}`;
  const nulls = Array(order.length + 1).fill("null");
  return sql`
    with found as materialized (
      select one.id from unnest(array[${join(lookup.keys)}]) as given(key),
             lateral (select id from ${raw(type.table)}
                       where tenant_id = ${tenantId} and ${lookup.column} @> array[given.key] offset 0) one
       limit ${FOUND_MAX + 1})
    (${page})
    union all (select ${raw(nulls.join(", "))} from found offset ${FOUND_MAX} limit 1)`;
}

/**
 * Returns the query for the records with these ids, in the order of the ids. Selects the body and the id. Omits records
 * that are no longer in the list.
 */
export const recordsSql = (tenantId: TenantId, plan: ListPlan, ids: readonly string[]): Sql => sql`
  select found.body, page.id from unnest(${ids}::text[]) with ordinality as page(id, place), lateral (
    select ${plan.shown.show} as body from ${raw(plan.type.table)}
     where tenant_id = ${tenantId} and id = page.id and ${chosenBy(plan)}) found
   order by page.place`;

export const countSql = (tenantId: TenantId, plan: ListPlan): Sql =>
  sql`select count(*) from ${raw(plan.type.table)} where tenant_id = ${tenantId} and ${chosenBy(plan)}`;

/** Returns the SQL condition that selects the list's records. */
export const chosenBy = ({ where, spans }: ListPlan): Sql =>
  sql`${where} and (${join(spans, " or ")})`;
