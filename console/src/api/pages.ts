/** Reads lists page by page with cursors. */

import { listIn, nextQuery } from "@leadport/client";
import { useInfiniteQuery, type UseInfiniteQueryResult } from "@tanstack/react-query";
import { ask } from "./client.ts";

export interface Page<T> {
  readonly items: readonly T[];
  /** The cursor of the next page; undefined on the last page. */
  readonly cursor: string | undefined;
  /** The total number of items, if it was requested. */
  readonly total: number | undefined;
}

export interface ListOptions {
  readonly query?: Readonly<Record<string, unknown>>;
  /** Whether to count all items, which costs an extra query. */
  readonly isCounted?: boolean;
  readonly cursor?: string | undefined;
  readonly signal?: AbortSignal;
}

/** Returns one page of a list. */
export async function readPage<T>(path: string, options: ListOptions = {}): Promise<Page<T>> {
  const { query, isCounted = false, cursor, signal } = options;
  const { data, headers } = await ask<unknown>("get", path, {
    query: { ...query, cursor },
    signal,
    ...(isCounted && { headers: { prefer: "count=exact" } }),
  });
  const total = headers.get("x-total-count");
  return {
    items: listIn(data) as readonly T[],
    cursor: headers.get("x-next-cursor") ?? nextQuery(headers.get("link"))?.["cursor"],
    total: total === null ? undefined : Number(total),
  };
}

export interface List<T> {
  readonly items: readonly T[];
  readonly total: number | undefined;
  readonly query: UseInfiniteQueryResult;
}

/** A list that loads more pages on demand: `query.fetchNextPage()`. */
export function useList<T>(
  path: string,
  options: Omit<ListOptions, "cursor" | "signal"> = {},
): List<T> {
  const query = useInfiniteQuery({
    queryKey: ["list", path, options.query ?? {}, options.isCounted ?? false],
    queryFn: ({ pageParam, signal }) =>
      readPage<T>(path, {
        ...options,
        signal,
        cursor: pageParam,
        // Count only once, with the first page.
        isCounted: options.isCounted === true && pageParam === undefined,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.cursor,
  });
  return {
    items: query.data?.pages.flatMap((page) => page.items) ?? [],
    total: query.data?.pages[0]?.total,
    query,
  };
}
