/** Queries for partners. */

import type { Analytics, Partner, PartnerWithAccessCode } from "@leadport/client";
import { queryOptions } from "@tanstack/react-query";
import { api } from "../api/index.ts";

export type { Analytics, Partner, PartnerWithAccessCode };

export const PARTNERS = "/crm/admin/partners";
export const STATUSES = ["active", "suspended"] as const satisfies readonly Partner["status"][];

export interface StatusSearch {
  readonly status?: Partner["status"];
}

/** Reads the status filter from a URL. */
export function readStatus({ status }: Readonly<Record<string, unknown>>): StatusSearch {
  const known = STATUSES.find((one) => one === status);
  return known === undefined ? {} : { status: known };
}

export const partnerQuery = (id: string) =>
  queryOptions({
    queryKey: ["partner", id],
    queryFn: ({ signal }) =>
      api.get("/crm/admin/partners/{partner_id}", { path: { partner_id: id }, signal }),
  });

/** Returns the query for the results of all leads that a partner submitted. */
export const numbersQuery = (id: string) =>
  queryOptions({
    queryKey: ["list", "partner numbers", id],
    queryFn: ({ signal }) => api.get("/crm/admin/analytics", { query: { partner_id: id }, signal }),
    staleTime: 60_000,
  });
