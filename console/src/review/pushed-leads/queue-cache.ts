/** What was read of the queue, kept up to date by what is decided and by what the service tells. */

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

/** Puts what is new of a lead into every list that has it, and into its own page. */
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

/** A lead as one of the lists has it. */
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

/** Counts that are known move with what was decided, until they are read anew. */
export const moveCounts = (
  queries: QueryClient,
  moves: readonly { readonly from: Status; readonly to: Status }[],
): void => {
  queries.setQueriesData<Counts>({ queryKey: COUNTS_KEY }, (counts) =>
    counts === undefined ? undefined : withMoves(counts, moves),
  );
};

/** Counts as they are after leads have moved. */
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
