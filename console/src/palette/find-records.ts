/**
 * Finds records by part of the name, email address, phone number or ID. The service searches most
 * types. For the other types, the newest records are loaded once and searched in the browser.
 */

import { hasStatus } from "@leadport/client";
import type { QueryClient } from "@tanstack/react-query";
import { readPage } from "../api/index.ts";
import { canSearch, listPath, type RecordType, recordTypes, type Stored } from "../record/index.ts";
import { findFilter } from "./find-filter.ts";
import { recordQuery } from "../requests/index.ts";

export interface FoundOfType {
  readonly type: RecordType;
  readonly records: readonly Stored[];
  /** Whether the type's table would show more matches. */
  readonly hasMore: boolean;
}

const SHOWN_MAX = 5;
const LOOKED_THROUGH = 100;
const LOOKED_THROUGH_STALE_ms = 60_000;

const ID = /^[0-9a-f]{24}$/i;
/** The minimum number of characters in a search. */
export const TEXT_MIN = 2;

/** Returns the matching records by type. Types without matches are omitted. */
export async function findRecords(
  queries: QueryClient,
  text: string,
  signal: AbortSignal,
): Promise<readonly FoundOfType[]> {
  const find = ID.test(text) ? findById : findByText;
  const found = await Promise.all(
    recordTypes().map(async (type): Promise<FoundOfType> => {
      const records = await find(queries, type, text, signal);
      const hasMore = records.length > SHOWN_MAX && canSearch(type);
      return { type, records: records.slice(0, SHOWN_MAX), hasMore };
    }),
  );
  return found.filter(({ records }) => records.length > 0);
}

type Find = (
  queries: QueryClient,
  type: RecordType,
  text: string,
  signal: AbortSignal,
) => Promise<readonly Stored[]>;

const findById: Find = async (queries, type, id) => {
  try {
    return [await queries.fetchQuery(recordQuery(type, id.toLowerCase()))];
  } catch (error) {
    if (hasStatus(404)(error)) return [];
    throw error;
  }
};

const findByText: Find = async (queries, type, text, signal) => {
  if (!canSearch(type)) return newestWith(queries, type, text);
  const filter = findFilter(type, text);
  if (filter === undefined) return [];
  const query = { match_filter_dict: JSON.stringify(filter), page_size: SHOWN_MAX + 1 };
  return (await readPage<Stored>(listPath(type), { query, signal })).items;
};

async function newestWith(
  queries: QueryClient,
  type: RecordType,
  text: string,
): Promise<readonly Stored[]> {
  const { items } = await queries.fetchQuery({
    queryKey: ["list", listPath(type), "newest", LOOKED_THROUGH],
    queryFn: ({ signal }) =>
      readPage<Stored>(listPath(type), { query: { page_size: LOOKED_THROUGH }, signal }),
    staleTime: LOOKED_THROUGH_STALE_ms,
  });
  return items.filter((record) => isNamed(record, text));
}

/** Whether a record's name contains a string, ignoring case. */
export const isNamed = ({ name }: Stored, text: string): boolean =>
  name.toLowerCase().includes(text.toLowerCase());
