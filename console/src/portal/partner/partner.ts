/** The partner that is signed in, and what it may do. */

import type { PartnerSelf } from "@leadport/client";
import { queryOptions, useSuspenseQuery } from "@tanstack/react-query";
import { api } from "../../api/index.ts";

/** Fails with 401 where no partner is signed in. What a partner may do can change at any time. */
export const partnerQuery = queryOptions({
  queryKey: ["partner", "me"],
  queryFn: ({ signal }): Promise<PartnerSelf> => api.get("/crm/partner/me", { signal }),
  staleTime: 30_000,
});

/** The name of a business by its id. Fails with 404 if there is none. */
export const businessQuery = (tenant_id: string) =>
  queryOptions({
    queryKey: ["portal-business", tenant_id],
    queryFn: async ({ signal }) =>
      (await api.post("/auth/partner/business", { body: { tenant_id }, signal })).tenant_name,
    retry: false,
  });

/** For pages behind the partners' door alone. */
export const usePartner = (): PartnerSelf => useSuspenseQuery(partnerQuery).data;

export type Right = PartnerSelf["permissions"][number];

/** Whether the partner holds a right. */
export const useRight = (wanted: Right): boolean => usePartner().permissions.includes(wanted);
