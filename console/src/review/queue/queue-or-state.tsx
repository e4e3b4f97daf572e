/** The queue, or its loading, error or empty state. */

import type { ReactNode } from "react";
import { t } from "../../text/index.ts";
import { QueryState, Empty } from "../../ui/states/index.ts";
import { countFilters, type QueueSearch } from "../pushed-leads/index.ts";
import type { Queue } from "./use-queue.ts";

interface QueueOrStateProps {
  readonly search: QueueSearch;
  readonly queue: Queue;
  readonly children: ReactNode;
}

export function QueueOrState({ search, queue: { leads, list }, children }: QueueOrStateProps) {
  const { query } = list;
  if (!query.isSuccess && list.items.length === 0) return <QueryState query={query} />;
  if (leads.length > 0 || query.hasNextPage) return children;
  const isPlain = countFilters(search) === 0 && search.status === undefined;
  return (
    <Empty
      title={isPlain ? t.review.emptyTitle : t.review.noneTitle}
      hint={isPlain ? t.review.emptyHint : t.review.noneHint}
    />
  );
}
