/** The business's settings, which only administrators can read. */

import { queryOptions } from "@tanstack/react-query";
import { api } from "./client.ts";

export const TENANT = "/crm/admin/tenant";

export const tenantQuery = queryOptions({
  queryKey: ["tenant"],
  queryFn: ({ signal }) => api.get(TENANT, { signal }),
});
