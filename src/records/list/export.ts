/** The query of an export: what a list would select, all of it, the oldest first. */

import sql, { raw, type Sql } from "sql-template-tag";
import type { TenantId } from "../../audit/index.ts";
import type { Given, Parameters } from "../../platform/validation/index.ts";
import type { Listing } from "../types/index.ts";
import { chosenBy } from "./list-sql.ts";
import { stampColumn } from "../shape/index.ts";
import { isUnbounded, planList, type Asking } from "./plan.ts";
import { LIST_PARAMETERS } from "./list-parameters.ts";

const { match_filter_dict, eval_object_id, start_date, end_date } = LIST_PARAMETERS;

/** What an export takes of the shared parameters. */
export const EXPORT_PARAMETERS = {
  match_filter_dict,
  eval_object_id,
  start_date,
  end_date,
} as const satisfies Parameters;

export interface ExportAsking extends Pick<Asking, "type" | "country" | "now_s"> {
  readonly tenantId: TenantId;
  readonly query: Partial<Given<typeof EXPORT_PARAMETERS>>;
}

/** The bodies of an export, in the order of an index, so that the first one is found at once. Throws 422 as the list does. */
export function exportSql({ tenantId, type, query, country, now_s }: ExportAsking): Sql {
  const listing = type.lists["all"] as Listing;
  const plan = planList({ type, listing, query, country, now_s });
  const order = isUnbounded(plan.span) ? "id" : `${stampColumn(listing.on)}, id`;
  return sql`select body from ${raw(type.table)}
              where tenant_id = ${tenantId} and ${chosenBy(plan)} order by ${raw(order)}`;
}
