/**
 * Leads that entered the list after it was loaded, because they are new or have a new status. Their number is
 * announced, and the leads are shown on demand.
 */

import { useQueryClient } from "@tanstack/react-query";
import { useDebouncedCallback } from "@mantine/hooks";
import { useEffect, useRef, useState } from "react";
import type { List } from "../../api/index.ts";
import {
  changeLead,
  COUNTS_KEY,
  filtersOf,
  followQueue,
  isLookedFor,
  type PushedLead,
  type QueueSearch,
  statusOf,
} from "../pushed-leads/index.ts";

const COUNTS_REST_ms = 2000;

export interface Arrivals {
  readonly count: number;
  /** Reloads the list so that it includes the new leads. */
  readonly show: () => void;
}

export function useArrivals(search: QueueSearch, list: List<PushedLead>): Arrivals {
  const queries = useQueryClient();
  const [arrived, setArrived] = useState<ReadonlyMap<string, PushedLead>>(new Map());
  const countAnew = useDebouncedCallback(
    () => void queries.invalidateQueries({ queryKey: COUNTS_KEY }),
    COUNTS_REST_ms,
  );
  const present = useRef({ search, list });
  present.current = { search, list };

  useEffect(
    () =>
      followQueue({
        onLead: (lead, isNew) => {
          changeLead(queries, lead);
          countAnew();
          const now = present.current;
          // A changed lead has entered the list if it now has the list's status. If the list is only partly loaded, the
          // lead may already have been in the part that is not loaded.
          const hasEntered = lead.status === statusOf(now.search) && !now.list.query.hasNextPage;
          const isListed = now.list.items.some(({ id }) => id === lead.id);
          setArrived((before) => {
            const isKnown = before.has(lead.id);
            const isWaiting = !isListed && (isNew || hasEntered || isKnown);
            if (!isWaiting && !isKnown) return before;
            const next = new Map(before);
            if (isWaiting) next.set(lead.id, lead);
            else next.delete(lead.id);
            return next;
          });
        },
        query: () => {
          const { search: now } = present.current;
          return { ...filtersOf(now), status: statusOf(now) };
        },
        newestKnown: () =>
          present.current.list.items
            .map(({ id }) => id)
            .reduce<string | undefined>(
              (newest, id) => (newest === undefined || id > newest ? id : newest),
              undefined,
            ),
      }),
    [queries, countAnew],
  );

  const { items, query } = list;
  const listed = new Set(items.map(({ id }) => id));
  const wanted = [...arrived.values()].filter(
    (lead) => !listed.has(lead.id) && isLookedFor(search, lead),
  );
  const show = (): void => {
    setArrived(new Map());
    void query.refetch();
  };
  // An empty list is reloaded immediately, because no rows would move.
  const isAwaited = query.isSuccess && items.length === 0 && wanted.length > 0;
  useEffect(() => {
    if (isAwaited) show();
  }, [isAwaited]);
  return { count: wanted.length, show };
}
