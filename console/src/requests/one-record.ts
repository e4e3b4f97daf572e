/** Reads, creates and changes a record, and keeps the cache up to date. */

import { queryOptions, useQueryClient, type QueryClient } from "@tanstack/react-query";
import { ask } from "../api/index.ts";
import { nameQuery } from "../names/index.ts";
import { readPath, writePath, type Draft, type RecordType, type Stored } from "../record/index.ts";

/**
 * What to do if a record that matches the new one already exists: create the new record anyway, or fail and return the
 * existing record's ID.
 */
export type OnDuplicate = "allow" | "reject";

export const recordQuery = (type: RecordType, id: string) =>
  queryOptions({
    queryKey: ["record", type.name, id],
    queryFn: async ({ signal }) => (await ask<Stored>("get", readPath(type, id), { signal })).data,
  });

/** Creates a record. Throws 409 with `existing_id`, or 422. */
export async function createRecord(
  type: RecordType,
  body: Draft,
  onDuplicate: OnDuplicate,
): Promise<Stored> {
  const query = !type.mergeable ? {} : { on_duplicate: onDuplicate };
  return (await ask<Stored>("post", type.write_path, { body, query })).data;
}

/**
 * Changes a record if it is still at the loaded version; otherwise throws 412. Throws 422 if the
 * changes are invalid.
 */
export async function patchRecord(
  type: RecordType,
  { _id, version }: Stored,
  changes: Draft,
): Promise<Stored> {
  const message = { body: changes, ifMatch: version };
  return (await ask<Stored>("patch", writePath(type, _id), message)).data;
}

/** Caches the record that a write returned, and invalidates cached lists that may show it. */
export async function keepRecord(
  queries: QueryClient,
  type: RecordType,
  record: Stored,
): Promise<void> {
  cacheRecord(queries, type, record);
  await refreshLists(queries);
}

export function cacheRecord(queries: QueryClient, type: RecordType, record: Stored): void {
  queries.setQueryData(recordQuery(type, record._id).queryKey, record);
  queries.setQueryData(nameQuery(type, record._id).queryKey, record.name);
}

/**
 * Invalidates everything that is computed from several records: the keys of lists, histories, summaries and possible
 * duplicates all begin with "list".
 */
export const refreshLists = (queries: QueryClient): Promise<void> =>
  queries.invalidateQueries({ queryKey: ["list"] });

/** Returns a function that caches the record that a write returned. */
export function useKeeping(type: RecordType): (record: Stored) => Promise<void> {
  const queries = useQueryClient();
  return (record) => keepRecord(queries, type, record);
}
