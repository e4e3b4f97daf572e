/** Keeps the cached queue up to date with decisions and live changes. */

import type { InfiniteData, QueryClient } from "@tanstack/react-query";
import type { Page } from "../../api/index.ts";
import {
  PUSHED_LEADS,
  type PushedLead,
  type PushedLeadInFull,
  type Status,
} from "./pushed-lead.ts";

export const leadKey = (id: string) => ["pushed-lead", id] as const;
export const COUNTS_KEY = ["pushed-lead-counts"] as const;
const LISTS_KEY = ["list", PUSHED_LEADS] as const;

export type Counts = Readonly<Record<Status, number>>;

type Change = Partial<PushedLead> & { readonly id: string };

/** Applies a change to a lead in all cached lists and in its own cached details. */
export function changeLead(queries: QueryClient, change: Change): void {
  queries.setQueriesData<InfiniteData<Page<PushedLead>>>({ queryKey: LISTS_KEY }, (data) =>
    data?.pages.some(({ items }) => items.some(({ id }) => id === change.id)) === true
      ? { ...data, pages: data.pages.map((page) => withChange(page, change)) }
      : data,
  );
  queries.setQueryData<PushedLeadInFull>(leadKey(change.id), (lead) =>
    lead === undefined ? undefined : { ...lead, ...change },
  );
}

const withChange = (page: Page<PushedLead>, change: Change): Page<PushedLead> => ({
  ...page,
  items: page.items.map((lead) => (lead.id === change.id ? { ...lead, ...change } : lead)),
});

/** Reloads the lists of the statuses that leads have entered. */
export const reloadLists = (queries: QueryClient, entered: ReadonlySet<Status>): void =>
  void queries.invalidateQueries({
    queryKey: LISTS_KEY,
    predicate: ({ queryKey }) => {
      const { status } = queryKey[LISTS_KEY.length] as { readonly status?: Status };
      return status !== undefined && entered.has(status);
    },
  });

/** Finds a lead in the cached lists. */
export function leadInLists(queries: QueryClient, id: string): PushedLead | undefined {
  for (const [, data] of queries.getQueriesData<InfiniteData<Page<PushedLead>>>({
    queryKey: LISTS_KEY,
  })) {
    for (const { items } of data?.pages ?? []) {
      const found = items.find((lead) => lead.id === id);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

/** Adjusts the cached counts after decisions, until the counts are reloaded. */
export const moveCounts = (
  queries: QueryClient,
  moves: readonly { readonly from: Status; readonly to: Status }[],
): void => {
  queries.setQueriesData<Counts>({ queryKey: COUNTS_KEY }, (counts) =>
    counts === undefined ? undefined : withMoves(counts, moves),
  );
};

/** Returns the counts after leads have changed status. */
export function withMoves(
  counts: Counts,
  moves: readonly { readonly from: Status; readonly to: Status }[],
): Counts {
  const next = { ...counts };
  for (const { from, to } of moves) {
    next[from] = Math.max(0, next[from] - 1);
    next[to] += 1;
  }
  return next;
}
