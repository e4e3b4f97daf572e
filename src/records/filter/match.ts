/** Checks known records against a filter to determine who is notified of changes. */

import sql, { raw } from "sql-template-tag";
import type { Scope } from "../../audit/index.ts";
import { run } from "../../platform/database/index.ts";
import type { JsonObject } from "../../platform/json/index.ts";
import type { RecordType } from "../types/index.ts";
import { compileFilter, type CompiledFilter } from "./filter.ts";
import type { CountryCode } from "../contact-details/index.ts";

export interface Matching {
  readonly type: RecordType;
  readonly filter: JsonObject;
  readonly country: CountryCode;
}

/**
 * Compiles a filter on the fields that the type's list can be filtered by. Throws a ValidationError as in a list
 * request.
 */
export function compileMatching({ type, filter, country }: Matching): CompiledFilter {
  const [listing] = Object.values(type.lists);
  if (listing === undefined) throw new Error(`${type.name} has no list`);
  return compileFilter(JSON.stringify(filter), { type, listing, evalObjectId: true, country });
}

/** Returns the ids of the given records that currently match the filter. Deleted records never match. */
export async function matchingIds(
  { db, tenantId }: Scope,
  matching: Matching,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const { condition } = compileMatching(matching);
  const rows = await run(
    db,
    sql`select id from ${raw(matching.type.table)}
         where tenant_id = ${tenantId} and id = any(${ids}::text[]) and ${condition}`,
    { prepare: false },
  );
  return new Set(rows.map(({ id }) => id as string));
}
