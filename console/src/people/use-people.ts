/** The people of the tenant, and how the list is asked for anew. */

import type { Person } from "@leadport/client";
import { queryOptions, useQueryClient } from "@tanstack/react-query";
import { api } from "../api/index.ts";

export type { Person };

export const peopleQuery = queryOptions({
  queryKey: ["people"],
  queryFn: async ({ signal }): Promise<readonly Person[]> =>
    api.get("/crm/admin/people", { signal }),
});

/** Asks for the people anew after one was changed. */
export function useRefreshPeople(): () => Promise<void> {
  const queries = useQueryClient();
  return async () => queries.invalidateQueries({ queryKey: peopleQuery.queryKey });
}

/** Whether somebody may be changed by whoever is signed in: owners by owners alone. */
export const mayChange = (asRole: string, { role }: Pick<Person, "role">): boolean =>
  asRole === "owner" || role !== "owner";
