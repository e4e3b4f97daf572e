/** Looks up names of records by ID. The IDs on a page are looked up with one request per type. */

import { isNotFound } from "@leadport/client";
import { queryOptions, useQueries } from "@tanstack/react-query";
import { ask, readPage } from "../api/index.ts";
import { t } from "../text/index.ts";
import { listPath, readPath, type RecordType, type Stored } from "../record/index.ts";
import { inBatches } from "./in-batches.ts";

/**
 * The maximum number of IDs per request, which is the number of rows on one table page. With more IDs, the URL would be
 * too long.
 */
const IDS_MAX = 200;
const ID = /^[0-9a-f]{24}$/;
const STALE_ms = 60_000;

type ReadName = (id: string) => Promise<string | undefined>;

const readers = new Map<string, ReadName>();

function readerOf(type: RecordType): ReadName {
  let reader = readers.get(type.name);
  if (reader === undefined) {
    reader = inBatches(async (ids) => {
      const { items } = await readPage<Stored>(listPath(type), {
        query: {
          match_filter_dict: JSON.stringify({ _id: { $in: ids } }),
          eval_object_id: true,
          fields: "name",
          page_size: ids.length,
        },
      });
      return new Map(items.map(({ _id, name }) => [_id, name]));
    }, IDS_MAX);
    readers.set(type.name, reader);
  }
  return reader;
}

/**
 * Looks up the name for a merged record's ID. Lists do not contain this ID, but a request for it returns the surviving
 * record.
 */
async function nameOfOldId(type: RecordType, id: string): Promise<string | null> {
  try {
    return (await ask<Stored>("get", readPath(type, id))).data.name;
  } catch (error) {
    if (isNotFound(error)) return null;
    throw error;
  }
}

/** The query for a record's name; null if the record does not exist. */
export const nameQuery = (type: RecordType, id: string) =>
  queryOptions({
    queryKey: ["name", type.name, id],
    queryFn: async (): Promise<string | null> =>
      ID.test(id) ? ((await readerOf(type)(id)) ?? nameOfOldId(type, id)) : null,
    staleTime: STALE_ms,
  });

/** Returns a function that looks up the name of a record of any of these types. */
export function useRecordNames(
  types: readonly RecordType[],
  ids: readonly string[],
): (id: string) => string {
  const pairs = types.flatMap((type) => ids.map((id) => ({ type, id })));
  const found = useQueries({ queries: pairs.map(({ type, id }) => nameQuery(type, id)) });
  return (id) => {
    const answers = pairs.flatMap((pair, at) => (pair.id === id ? [found[at]] : []));
    const name = answers.find((answer) => typeof answer?.data === "string")?.data;
    if (typeof name === "string") return name;
    return answers.some((answer) => answer?.isPending) ? t.common.loading : t.record.unknown;
  };
}
