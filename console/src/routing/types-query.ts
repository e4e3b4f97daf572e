/** Loads the record types. */

import { queryOptions } from "@tanstack/react-query";
import { api } from "../api/index.ts";
import { keepTypes } from "../record/index.ts";

/** The query for the record types. They change only with an upgrade of the service. */
export const typesQuery = queryOptions({
  queryKey: ["record types"],
  queryFn: async ({ signal }) => keepTypes(await api.get("/crm/fields", { signal })),
  staleTime: Infinity,
  gcTime: Infinity,
});
