/** Prints the plan of a list query. Both the statement and its planning are the same as in the service. */

import postgres from "postgres";
import { readParameters } from "../src/platform/validation/parameters.ts";
import { pageSql } from "../src/records/list/list-sql.ts";
import { planList } from "../src/records/list/plan.ts";
import { LIST_PARAMETERS } from "../src/records/list/list-parameters.ts";
import { RECORD_TYPES } from "../src/records/index.ts";
import type { Tenant } from "../src/access/index.ts";

/** Runs `explain (analyze, buffers)` for the path's query as the tenant `default`, with warm caches. */
export async function explain(databaseUrl: string, path: string): Promise<string> {
  const { pathname, searchParams } = new URL(path, "http://127.0.0.1");
  const { lead } = RECORD_TYPES;
  const listing = Object.values(lead.lists).find((one) => one.path === pathname);
  if (listing === undefined) throw new Error(`There is no list ${pathname}`);
  const { values: query } = readParameters(
    "query",
    LIST_PARAMETERS,
    Object.fromEntries(searchParams),
  );
  const sql = postgres(databaseUrl, {
    max: 1,
    connection: { plan_cache_mode: "force_custom_plan" },
  });
  try {
    const [tenant] = await sql<
      Pick<Tenant, "id" | "default_country">[]
    >`select id, default_country from tenants where name = 'default'`;
    if (tenant === undefined) throw new Error("There is no tenant default");
    const plan = planList({
      type: lead,
      listing,
      query,
      country: tenant.default_country,
      now_s: Math.floor(Date.now() / 1000),
    });
    const { text, values } = pageSql(tenant.id, plan, (plan.pageSize ?? 1000) + 1, plan.place);
    const explained = async (): Promise<string> => {
      const rows = await sql.unsafe(
        `explain (analyze, buffers) ${text}`,
        values as postgres.ParameterOrJSON<never>[],
        { prepare: true },
      );
      return rows.map((row) => String(row["QUERY PLAN"])).join("\n");
    };
    await explained();
    return await explained();
  } finally {
    await sql.end();
  }
}
