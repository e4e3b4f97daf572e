/**
 * Ids and external ids of records that were merged into others. Each still identifies the surviving record. They are
 * looked up only if a record is not found, so they do not slow down requests for existing records.
 */

import type { Scope } from "../../audit/index.ts";
import { run } from "../../platform/database/index.ts";
import type { RecordType } from "../types/index.ts";

/** Finds the record with an id. If it was merged, finds its survivor. */
export async function findByAnyId<T>(
  scope: Scope,
  type: RecordType,
  id: string,
  find: (id: string) => Promise<T | undefined>,
): Promise<T | undefined> {
  let at: string | undefined = id;
  while (at !== undefined) {
    const found = await find(at);
    if (found !== undefined) return found;
    at = (await stepFrom(scope, type, [at])).get(at);
  }
  return undefined;
}

/** Returns the current ids of merged records, by old id. Ids that are still current are not in the result. */
export async function currentIds(
  scope: Scope,
  type: RecordType,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const current = new Map<string, string>();
  let step = await stepFrom(scope, type, ids);
  for (const [old, into] of step) current.set(old, into);
  // The survivor may itself have been merged later.
  while (step.size > 0) {
    step = await stepFrom(scope, type, [...new Set(step.values())]);
    for (const [old, into] of current) current.set(old, step.get(into) ?? into);
  }
  return current;
}

/** Returns the current ids of merged records, by the external ids that they had. */
export async function currentByExternalIds(
  scope: Scope,
  type: RecordType,
  externalIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (type.sameBy === undefined || externalIds.length === 0) return new Map();
  const rows = await run(scope.db)`select external_id, into_id from merged_records
         where tenant_id = ${scope.tenantId} and type = ${type.name}
           and external_id = any(${externalIds}::text[])
         order by merge_id`;
  const into = new Map(rows.map((row) => [row["external_id"] as string, row["into_id"] as string]));
  const current = await currentIds(scope, type, [...into.values()]);
  return new Map([...into].map(([external_id, id]) => [external_id, current.get(id) ?? id]));
}

/** Returns the ids of the records into which these records were merged directly. Does not follow further merges. */
async function stepFrom(
  { db, tenantId }: Scope,
  type: RecordType,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (type.sameBy === undefined || ids.length === 0) return new Map();
  const rows = await run(db)`select old_id, into_id from merged_records
         where tenant_id = ${tenantId} and type = ${type.name} and old_id = any(${ids}::text[])`;
  return new Map(rows.map((row) => [row["old_id"] as string, row["into_id"] as string]));
}
