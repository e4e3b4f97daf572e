/** One record of the service: read, made, changed, and what is kept of it here. */

import { queryOptions, useQueryClient, type QueryClient } from "@tanstack/react-query";
import { ask } from "../../api/index.ts";
import { nameQuery } from "../names/index.ts";
import { readPath, writePath, type Draft, type RecordType, type Stored } from "../record/index.ts";

/** What creating somebody does who is known already: another one, or a refusal that names the first. */
export type OnDuplicate = "allow" | "reject";

export const recordQuery = (type: RecordType, id: string) =>
  queryOptions({
    queryKey: ["record", type.name, id],
    queryFn: async ({ signal }) => (await ask<Stored>("get", readPath(type, id), { signal })).data,
  });

/** Creates a record. Throws 409 with `existing_id`, and 422. */
export async function createRecord(
  type: RecordType,
  body: Draft,
  onDuplicate: OnDuplicate,
): Promise<Stored> {
  const query = type.sameBy === undefined ? {} : { on_duplicate: onDuplicate };
  return (await ask<Stored>("post", type.writePath, { body, query })).data;
}

/** Changes a record if it is still at the version that was read. Throws 412 where it is not, and 422. */
export async function patchRecord(
  type: RecordType,
  { _id, version }: Stored,
  changes: Draft,
): Promise<Stored> {
  const message = { body: changes, ifMatch: version };
  return (await ask<Stored>("patch", writePath(type, _id), message)).data;
}

/** Keeps what a write answered; what may show the record elsewhere is read anew. */
export async function keepRecord(
  queries: QueryClient,
  type: RecordType,
  record: Stored,
): Promise<void> {
  queries.setQueryData(recordQuery(type, record._id).queryKey, record);
  queries.setQueryData(nameQuery(type, record._id).queryKey, record.name);
  await refreshLists(queries);
}

/** Lists, histories and duplicates are read anew where they are shown. */
export async function refreshLists(queries: QueryClient): Promise<void> {
  await Promise.all([
    queries.invalidateQueries({ queryKey: ["list"] }),
    queries.invalidateQueries({ queryKey: ["duplicates"] }),
  ]);
}

/** Keeps records of a type that writes answer. */
export function useKeeping(type: RecordType): (record: Stored) => Promise<void> {
  const queries = useQueryClient();
  return (record) => keepRecord(queries, type, record);
}
