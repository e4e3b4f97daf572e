/** The queue, or its loading, error or empty state. */

import type { ReactNode } from "react";
import { t } from "../../text/index.ts";
import { QueryState, Empty } from "../../ui/states/index.ts";
import { type OutboxState, statusAfter } from "../decide/index.ts";
import { countFilters, isLookedFor, type QueueSearch, statusOf } from "../pushed-leads/index.ts";
import type { Queue } from "./use-queue.ts";

interface QueueOrStateProps {
  readonly search: QueueSearch;
  readonly queue: Queue;
  readonly outbox: OutboxState;
  readonly children: ReactNode;
}

export function QueueOrState({ search, queue, outbox, children }: QueueOrStateProps) {
  const { leads, list } = queue;
  const { query } = list;
  if (!query.isSuccess && list.items.length === 0) return <QueryState query={query} />;
  if (leads.length > 0 || query.hasNextPage) return children;
  const status = statusOf(search);
  const isAwaited = [...outbox.held, ...outbox.sending].some(
    ({ choice, leads: decided }) =>
      status !== undefined &&
      statusAfter(choice) === status &&
      decided.some((lead) => isLookedFor(search, { ...lead, status })),
  );
  if (isAwaited) return <Empty title={t.review.heldTitle} hint={t.review.heldHint} />;
  if (countFilters(search) > 0) {
    return <Empty title={t.review.noneTitle} hint={t.review.noneHint} />;
  }
  return status === "pending" ? (
    <Empty title={t.review.emptyTitle} hint={t.review.emptyHint} />
  ) : (
    <Empty title={t.review.noneOf(status)} />
  );
}
