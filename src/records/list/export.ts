/** The query of an export: what a list would select, all of it, oldest first (D10.6). */

import sql, { raw, type Sql } from "sql-template-tag";
import type { TenantId } from "../../audit/index.ts";
import type { Given, Parameters } from "../../platform/validation/index.ts";
import type { Listing, RecordType } from "../types/index.ts";
import type { CountryCode } from "../shape/index.ts";
import { chosenBy, planList } from "./plan.ts";
import { LIST_PARAMETERS } from "./list-parameters.ts";

const { match_filter_dict, eval_object_id, start_date, end_date } = LIST_PARAMETERS;

/** What an export takes of the shared parameters (spec 4.0). */
export const EXPORT_PARAMETERS = {
  match_filter_dict,
  eval_object_id,
  start_date,
  end_date,
} as const satisfies Parameters;

export type ExportQuery = Partial<Given<typeof EXPORT_PARAMETERS>>;

export interface ExportAsking {
  readonly tenantId: TenantId;
  readonly type: RecordType;
  readonly query: ExportQuery;
  readonly country: CountryCode;
  readonly now_s: number;
}

/** The bodies that an export holds, in the order of their making. Throws 422 as the list does. */
export function exportSql({ tenantId, type, query, country, now_s }: ExportAsking): Sql {
  const given = {
    match_filter_dict: query.match_filter_dict,
    eval_object_id: query.eval_object_id,
    start_date: query.start_date,
    end_date: query.end_date,
    sort_dict: undefined,
    page_size: undefined,
    page_num: undefined,
    cursor: undefined,
  };
  const listing = type.lists["all"] as Listing;
  const plan = planList({ type, listing, query: given, country, now_s });
  return sql`select body from ${raw(type.table)}
              where tenant_id = ${tenantId} and ${chosenBy(plan)} order by id`;
}
