/** The signed-in partner and its permissions. */

import type { PartnerSelf } from "@leadport/client";
import { queryOptions, useSuspenseQuery } from "@tanstack/react-query";
import { api } from "../../api/index.ts";

/** Throws 401 if no partner is signed in. Permissions can change at any time. */
export const partnerQuery = queryOptions({
  queryKey: ["partner", "me"],
  queryFn: ({ signal }): Promise<PartnerSelf> => api.get("/crm/partner/me", { signal }),
  staleTime: 30_000,
});

/** Returns the name of a business by ID. Throws 404 if there is none. */
export const businessQuery = (tenant_id: string) =>
  queryOptions({
    queryKey: ["portal-business", tenant_id],
    queryFn: async ({ signal }) =>
      (await api.post("/auth/partner/business", { body: { tenant_id }, signal })).tenant_name,
    retry: false,
  });

/** Only for pages that require a signed-in partner. */
export const usePartner = (): PartnerSelf => useSuspenseQuery(partnerQuery).data;

export type Right = PartnerSelf["permissions"][number];

/** Whether the partner has a permission. */
export const useRight = (wanted: Right): boolean => usePartner().permissions.includes(wanted);
