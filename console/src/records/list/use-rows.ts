/**
 * Loads the visible rows of a table. A page is loaded by cursor if the previous page is known, otherwise by page
 * number. Pages far from the visible pages are dropped, so that memory use does not depend on the length of the list.
 */

import {
  keepPreviousData,
  useQueries,
  useQuery,
  useQueryClient,
  type QueryClient,
} from "@tanstack/react-query";
import { useEffect } from "react";
import { readPage, type Page } from "../../api/index.ts";
import { listPath, type RecordType, type Stored } from "../../record/index.ts";
import type { ListQuery } from "./list-query.ts";

export const PAGE_SIZE = 200;
/** The number of pages cached on each side of the visible page: 3,400 rows in total. */
const KEPT = 8;
/** How many rows to load before and after the visible ones. */
const AHEAD = 60;
const FORGET_ms = 60_000;

export type RowsPage = Page<Stored>;

/** Returns the key prefix of all cached rows of a type. */
export const rowsKey = (type: RecordType) => ["list", listPath(type), "rows"] as const;

const pageKey = (type: RecordType, query: ListQuery, page: number) =>
  [...rowsKey(type), query, page] as const;

export interface Rows {
  /** The number of rows known so far. */
  readonly count: number;
  /** The exact number of rows; undefined until counted. */
  readonly total: number | undefined;
  readonly rowAt: (index: number) => Stored | undefined;
  /** The loaded pages around the visible rows. */
  readonly pages: readonly RowsPage[];
  readonly isFirst: boolean;
  /** Why some rows are missing; undefined if none are. */
  readonly error: unknown;
  readonly retry: () => void;
}

export interface Range {
  readonly first: number;
  readonly last: number;
}

/** Counts the records in a list once (`Prefer: count=exact`). */
export function useTotal(type: RecordType, query: ListQuery) {
  const selection = { ...query, sort_dict: undefined };
  return useQuery({
    queryKey: ["list", listPath(type), "total", selection],
    queryFn: async ({ signal }) => {
      const counted = { ...selection, page_size: 1 };
      const asking = { query: counted, signal, isCounted: true };
      return (await readPage(listPath(type), asking)).total;
    },
    gcTime: FORGET_ms,
    placeholderData: keepPreviousData,
  });
}

/** Loads the rows from `first` to `last`, and some before and after them. */
export function useRows(type: RecordType, query: ListQuery, { first, last }: Range): Rows {
  const queries = useQueryClient();
  const total = useTotal(type, query);
  const most = total.isPlaceholderData ? undefined : total.data;
  const from = Math.max(0, Math.floor((first - AHEAD) / PAGE_SIZE));
  const to = Math.max(from, Math.floor(boundBy(most, last + AHEAD) / PAGE_SIZE));
  const wanted = Array.from({ length: to - from + 1 }, (_, at) => from + at);
  const pages = useQueries({
    queries: wanted.map((page) => pageQuery(queries, type, query, page)),
  });
  useEffect(
    () => forgetFar(queries, type, query, Math.round((from + to) / 2)),
    [queries, type, query, from, to],
  );

  const failed = pages.find(({ isError }) => isError);
  const reached = pages.map(({ data }, at) => reachOf(data, from + at));
  return {
    count: most ?? Math.max(0, ...reached),
    total: most,
    pages: pages.flatMap(({ data }) => data ?? []),
    rowAt: (index) => {
      const page = Math.floor(index / PAGE_SIZE);
      const known =
        pages[page - from]?.data ?? queries.getQueryData<RowsPage>(pageKey(type, query, page));
      return known?.items[index % PAGE_SIZE];
    },
    isFirst: pages.every(({ isPending }) => isPending),
    error: failed?.error,
    // Reload the count as well, because it may also have failed to load.
    retry: () =>
      void queries.refetchQueries({ queryKey: ["list", listPath(type)], type: "active" }),
  };
}

const boundBy = (most: number | undefined, index: number): number =>
  most === undefined ? index : Math.min(index, Math.max(0, most - 1));

/** Returns the length of the list as far as it is known from one page. A next page, if any, is assumed to be full. */
function reachOf(page: RowsPage | undefined, at: number): number {
  if (page === undefined) return 0;
  return at * PAGE_SIZE + page.items.length + (page.cursor === undefined ? 0 : PAGE_SIZE);
}

function pageQuery(queries: QueryClient, type: RecordType, query: ListQuery, page: number) {
  return {
    queryKey: pageKey(type, query, page),
    queryFn: async ({ signal }: { readonly signal: AbortSignal }): Promise<RowsPage> => {
      const cursor = await cursorBefore(queries, type, query, page);
      const place = cursor === undefined ? pageNumber(page) : {};
      return readPage<Stored>(listPath(type), {
        query: { ...query, ...place, page_size: PAGE_SIZE },
        cursor,
        signal,
      });
    },
    gcTime: FORGET_ms,
  };
}

/**
 * Returns the cursor of the previous page. If that page is being reloaded or is outdated, waits for it. Otherwise, rows
 * at the border of the two pages would be skipped or repeated.
 */
async function cursorBefore(
  queries: QueryClient,
  type: RecordType,
  query: ListQuery,
  page: number,
): Promise<string | undefined> {
  // All pages start to reload at the same time, in any order.
  await Promise.resolve();
  const before = queries.getQueryState<RowsPage>(pageKey(type, query, page - 1));
  if (before?.data === undefined) return undefined;
  if (before.fetchStatus === "idle" && !before.isInvalidated) return before.data.cursor;
  const reloading = queries.fetchQuery(pageQuery(queries, type, query, page - 1));
  return (await reloading.catch(() => undefined))?.cursor;
}

const pageNumber = (page: number) => (page === 0 ? {} : { page_num: page + 1 });

/** Drops cached pages that are far from a given page. */
function forgetFar(queries: QueryClient, type: RecordType, query: ListQuery, near: number): void {
  queries.removeQueries({
    queryKey: [...rowsKey(type), query],
    type: "inactive",
    predicate: ({ queryKey }) => Math.abs(Number(queryKey.at(-1)) - near) > KEPT,
  });
}

/** Replaces a record in all cached rows. */
export function replaceRow(queries: QueryClient, type: RecordType, record: Stored): void {
  queries.setQueriesData<RowsPage>({ queryKey: rowsKey(type) }, (page) =>
    page?.items.some(({ _id }) => _id === record._id) === true
      ? { ...page, items: page.items.map((row) => (row._id === record._id ? record : row)) }
      : page,
  );
}
