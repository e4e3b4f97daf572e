/** The leads in the queue, with pending decisions applied. */

import { useMemo } from "react";
import { useList, type List } from "../../api/index.ts";
import type { OutboxState } from "../decide/index.ts";
import {
  filtersOf,
  orderOf,
  PUSHED_LEADS,
  type PushedLead,
  type QueueSearch,
  statusOf,
} from "../pushed-leads/index.ts";

const PAGE_SIZE = 100;

export interface Queue {
  readonly leads: readonly PushedLead[];
  readonly list: List<PushedLead>;
}

export function useQueue(search: QueueSearch, { taken }: OutboxState): Queue {
  const status = statusOf(search);
  const list = useList<PushedLead>(PUSHED_LEADS, {
    query: { ...filtersOf(search), status, order: orderOf(search), page_size: PAGE_SIZE },
  });
  const { data } = list.query;
  const leads = useMemo(
    () =>
      list.items.flatMap((lead) => {
        const ours = taken.get(lead.id);
        if (ours === undefined) return [lead];
        const present = ours.isDone ? lead.status : ours.status;
        // Leads decided by this user leave the list. Leads decided by other users stay in place.
        if (status !== undefined && present !== status) return [];
        return [present === lead.status ? lead : { ...lead, status: present }];
      }),
    // Depends on `data` rather than on `items`, because every render creates a new `items`.
    [data, taken, status],
  );
  return { leads, list };
}
