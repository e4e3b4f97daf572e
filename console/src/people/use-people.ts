/** Loads the tenant's users, and reloads them on request. */

import type { Person } from "@leadport/client";
import { queryOptions, useQueryClient } from "@tanstack/react-query";
import { api } from "../api/index.ts";

export type { Person };

export const peopleQuery = queryOptions({
  queryKey: ["people"],
  queryFn: async ({ signal }): Promise<readonly Person[]> =>
    api.get("/crm/admin/people", { signal }),
});

/** Returns a function that reloads the users after a change. */
export function useRefreshPeople(): () => Promise<void> {
  const queries = useQueryClient();
  return async () => queries.invalidateQueries({ queryKey: peopleQuery.queryKey });
}

/** Whether a user with the role `asRole` may change another user. Only owners may change owners. */
export const mayChange = (asRole: string, { role }: Pick<Person, "role">): boolean =>
  asRole === "owner" || role !== "owner";
