/** How many leads there are in each state, with the other filters as they are. */

import { useQuery } from "@tanstack/react-query";
import { readPage } from "../api/pages.ts";
import type { DeskState } from "./desk.ts";
import { PUSHED_LEADS, STATUSES, type Status } from "./pushed-lead.ts";
import { COUNTS_KEY, withMoves, type Counts } from "./queue-cache.ts";
import { filtersOf, type QueueSearch } from "./search.ts";
import { statusAfter } from "./send-decision.ts";

export function useCounts(search: QueueSearch, { held, sending }: DeskState): Counts | undefined {
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
