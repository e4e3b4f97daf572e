/** Plans the query of an export: all records that a list would select, oldest first. */

import sql, { raw, type Sql } from "sql-template-tag";
import type { TenantId } from "../../audit/index.ts";
import type { Given, Parameters } from "../../platform/validation/index.ts";
import type { Listing, RecordType } from "../types/index.ts";
import { chosenBy } from "./list-sql.ts";
import { stampColumn } from "../columns/index.ts";
import { isUnbounded, planList, type PlanInput } from "./plan.ts";
import { fieldsParameterOf, LIST_PARAMETERS } from "./list-parameters.ts";
import type { Shown } from "./show-fields.ts";

const { match_filter_dict, eval_object_id, start_date, end_date } = LIST_PARAMETERS;

/** The parameters that select records, excluding paging. */
export const CHOOSING_PARAMETERS = {
  match_filter_dict,
  eval_object_id,
  start_date,
  end_date,
} as const satisfies Parameters;

/** Returns the list parameters that an export supports. */
export const exportParameters = (type: RecordType) => ({
  ...CHOOSING_PARAMETERS,
  ...fieldsParameterOf(type),
});

export interface ExportInput extends Pick<PlanInput, "type" | "country" | "now_s"> {
  readonly tenantId: TenantId;
  readonly query: Partial<Given<ReturnType<typeof exportParameters>>>;
}

export interface ExportPlan extends Pick<Shown, "pick"> {
  readonly query: Sql;
  /** The members to export. Default: all. */
  readonly fields?: readonly string[] | undefined;
}

/** Plans an export in index order, so that the first record is found immediately. Throws 422 like the list. */
export function planExport({ tenantId, type, query, country, now_s }: ExportInput): ExportPlan {
  const listing = type.lists["all"] as Listing;
  const plan = planList({ type, listing, query, country, now_s });
  const order = isUnbounded(plan.span) ? "id" : `${stampColumn(listing.on)}, id`;
  const { show, pick } = plan.shown;
  return {
    query: sql`select ${show} from ${raw(type.table)}
                where tenant_id = ${tenantId} and ${chosenBy(plan)} order by ${raw(order)}`,
    fields: query.fields,
    pick,
  };
}
