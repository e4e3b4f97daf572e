/** The settings of the business, for administrators. */

import { queryOptions } from "@tanstack/react-query";
import { api } from "./client.ts";

export const TENANT = "/crm/admin/tenant";

export const tenantQuery = queryOptions({
  queryKey: ["tenant"],
  queryFn: ({ signal }) => api.get(TENANT, { signal }),
});
