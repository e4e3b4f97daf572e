/** The names of the business's partners, for users who may list partners. */

import { queryOptions, useQuery } from "@tanstack/react-query";
import { readPage, useMay } from "../api/index.ts";

export interface Named {
  readonly id: string;
  readonly name: string;
}

const PAGE_SIZE = 500;
const STALE_ms = 60_000;

const partnerNamesQuery = queryOptions({
  queryKey: ["list", "/crm/admin/partners", "names"],
  queryFn: async ({ signal }): Promise<readonly Named[]> => {
    const partners: Named[] = [];
    let cursor: string | undefined;
    do {
      const query = { page_size: PAGE_SIZE };
      const page = await readPage<Named>("/crm/admin/partners", { query, cursor, signal });
      partners.push(...page.items.map(({ id, name }) => ({ id, name })));
      cursor = page.cursor;
    } while (cursor !== undefined);
    return partners.toSorted((one, other) => one.name.localeCompare(other.name));
  },
  staleTime: STALE_ms,
});

export interface PartnerNames {
  /**
   * The partners, sorted by name; undefined until loaded, and for users who may not list partners.
   */
  readonly partners: readonly Named[] | undefined;
  readonly mayRead: boolean;
}

/** Loads the names if they are needed. */
export function usePartnerNames(isWanted = true): PartnerNames {
  const mayRead = useMay("admin");
  const { data } = useQuery({ ...partnerNamesQuery, enabled: mayRead && isWanted });
  return { partners: data, mayRead };
}
