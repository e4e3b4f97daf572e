/** The leads of the queue with pending decisions applied. */

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
        // Leads decided here leave the list. Leads decided by others stay where they are.
        if (status !== undefined && present !== status) return [];
        return [present === lead.status ? lead : { ...lead, status: present }];
      }),
    // The items are recreated from the same data with each rendering.
    [data, taken, status],
  );
  return { leads, list };
}
