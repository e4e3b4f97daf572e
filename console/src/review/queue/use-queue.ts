/** The leads that are looked at, as they will be when what was decided has been sent. */

import { useMemo } from "react";
import { useList, type List } from "../../api/index.ts";
import type { DeskState } from "../decide/index.ts";
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

export function useQueue(search: QueueSearch, { taken }: DeskState): Queue {
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
        // What was decided here leaves the list; what others decided stays in its place.
        if (status !== undefined && present !== status) return [];
        return [present === lead.status ? lead : { ...lead, status: present }];
      }),
    // The items are made anew with each rendering, of the same data.
    [data, taken, status],
  );
  return { leads, list };
}
