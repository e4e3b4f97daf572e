/** The signed-in partner and its permissions. */

import type { PartnerSelf } from "@leadport/client";
import { queryOptions, useSuspenseQuery } from "@tanstack/react-query";
import { api } from "../../api/index.ts";

/**
 * The query for the signed-in partner. Fails with 401 if no partner is signed in. Cached only
 * briefly, because permissions can change at any time.
 */
export const partnerQuery = queryOptions({
  queryKey: ["partner", "me"],
  queryFn: ({ signal }): Promise<PartnerSelf> => api.get("/crm/partner/me", { signal }),
  staleTime: 30_000,
});

/** The query for a business's name by ID. Fails with 404 if there is no such business. */
export const businessQuery = (tenant_id: string) =>
  queryOptions({
    queryKey: ["portal-business", tenant_id],
    queryFn: async ({ signal }) =>
      (await api.post("/auth/partner/business", { body: { tenant_id }, signal })).tenant_name,
    retry: false,
  });

/** Returns the signed-in partner, for pages that require one. */
export const usePartner = (): PartnerSelf => useSuspenseQuery(partnerQuery).data;

/**
 * Returns the header for requests that must not be sent as another partner, who may have signed in in another window of
 * the browser.
 */
export const asPartner = (partner_id: string) =>
  ({ headers: { "X-Partner-Id": partner_id } }) as const;

export type Right = PartnerSelf["permissions"][number];

/** Whether the partner has a permission. */
export const useRight = (wanted: Right): boolean => usePartner().permissions.includes(wanted);
