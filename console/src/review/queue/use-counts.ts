/** The number of leads by status, with the other filters applied. */

import { useQuery } from "@tanstack/react-query";
import { readPage } from "../../api/index.ts";
import { type OutboxState, statusAfter } from "../decide/index.ts";
import {
  type Counts,
  COUNTS_KEY,
  filtersOf,
  PUSHED_LEADS,
  type QueueSearch,
  type Status,
  STATUSES,
  withMoves,
} from "../pushed-leads/index.ts";

export function useCounts(search: QueueSearch, { held, sending }: OutboxState): Counts | undefined {
  const filters = filtersOf(search);
  const { data } = useQuery({
    queryKey: [...COUNTS_KEY, filters],
    queryFn: async ({ signal }): Promise<Counts> => {
      const counted = await Promise.all(
        STATUSES.map(async (status): Promise<[Status, number]> => {
          const query = { ...filters, status, page_size: 1 };
          const { total = 0 } = await readPage(PUSHED_LEADS, { query, isCounted: true, signal });
          return [status, total];
        }),
      );
      return Object.fromEntries(counted) as unknown as Counts;
    },
  });
  if (data === undefined) return undefined;
  const moves = [...held, ...sending].flatMap(({ choice, leads }) =>
    leads.map(({ status }) => ({ from: status, to: statusAfter(choice) })),
  );
  return withMoves(data, moves);
}
