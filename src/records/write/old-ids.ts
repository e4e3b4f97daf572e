/**
 * Ids and external ids of records that were merged into others. Each still identifies the surviving record. They are
 * looked up only if a record is not found, so they do not slow down requests for existing records.
 */

import sql, { raw, type Sql } from "sql-template-tag";
import type { Scope } from "../../audit/index.ts";
import { run } from "../../platform/database/index.ts";
import type { RecordType } from "../types/index.ts";

/**
 * Finds the record with an id. If it was merged, finds its survivor. Also finds it if it is merged or restored while
 * `find` waits for its lock.
 */
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
    at = (await nextIds(scope, type, [at])).get(at);
  }
  return undefined;
}

/** Finds the records with these ids, like `findByAnyId`. Returns them by the ids that were given. */
export async function findAllByAnyId<T>(
  scope: Scope,
  type: RecordType,
  ids: Iterable<string>,
  find: (ids: readonly string[]) => Promise<ReadonlyMap<string, T>>,
): Promise<ReadonlyMap<string, T>> {
  const found = new Map<string, T>();
  let open = [...ids].map((id) => ({ id, at: id }));
  while (open.length > 0) {
    const some = await find([...new Set(open.map(({ at }) => at))]);
    for (const { id, at } of open) {
      const one = some.get(at);
      if (one !== undefined) found.set(id, one);
    }
    const missing = open.filter(({ id }) => !found.has(id));
    const next = await nextIds(scope, type, [...new Set(missing.map(({ at }) => at))]);
    open = missing.flatMap(({ id, at }) => {
      const now = next.get(at);
      return now === undefined ? [] : [{ id, at: now }];
    });
  }
  return found;
}

/**
 * Returns where to look for records that were not found, by the ids that were tried: the records into which they were
 * merged, or the same ids if a merge was undone in the meantime. A single statement looks for both, so that no merge or
 * undo can happen in between.
 */
function nextIds(
  scope: Scope,
  type: RecordType,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const restored = sql`
    union all select id, id from ${raw(type.table)}
     where tenant_id = ${scope.tenantId} and id = any(${ids}::text[])`;
  return stepFrom(scope, type, ids, restored);
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
  const rows = await run<{ external_id: string; into_id: string }[]>(
    scope.db,
  )`select external_id, into_id from merged_records
         where tenant_id = ${scope.tenantId} and type = ${type.name}
           and external_id = any(${externalIds}::text[])
         order by merge_id`;
  const into = new Map(rows.map(({ external_id, into_id }) => [external_id, into_id]));
  const current = await currentIds(scope, type, [...into.values()]);
  return new Map([...into].map(([external_id, id]) => [external_id, current.get(id) ?? id]));
}

/**
 * Returns the ids of the records into which these records were merged directly. Does not follow further merges. `further`
 * can add pairs of ids to the query.
 */
async function stepFrom(
  { db, tenantId }: Scope,
  type: RecordType,
  ids: readonly string[],
  further: Sql = sql``,
): Promise<ReadonlyMap<string, string>> {
  if (type.sameBy === undefined || ids.length === 0) return new Map();
  const rows = await run<{ old_id: string; into_id: string }[]>(
    db,
  )`select old_id, into_id from merged_records
         where tenant_id = ${tenantId} and type = ${type.name} and old_id = any(${ids}::text[])
         ${further}`;
  return new Map(rows.map(({ old_id, into_id }) => [old_id, into_id]));
}
