/**
 * The partners to filter by: all partners for users who may list them, otherwise the partners of
 * loaded leads.
 */

import { useQuery } from "@tanstack/react-query";
import { ask, useMay } from "../../api/index.ts";
import type { PushedLead } from "./pushed-lead.ts";

interface Named {
  readonly id: string;
  readonly name: string;
}

const PARTNERS_MAX = 500;

export function usePartnerNames(
  leads: readonly PushedLead[],
  chosen: string | undefined,
): readonly Named[] {
  const { data = [] } = useQuery({
    queryKey: ["partner-names"],
    enabled: useMay("admin"),
    queryFn: async ({ signal }) =>
      (
        await ask<readonly Named[]>("get", "/crm/admin/partners", {
          query: { page_size: PARTNERS_MAX },
          signal,
        })
      ).data,
  });
  const names = new Map(leads.map(({ partner_id, partner_name }) => [partner_id, partner_name]));
  for (const { id, name } of data) names.set(id, name);
  if (chosen !== undefined && !names.has(chosen)) names.set(chosen, chosen);
  return [...names]
    .map(([id, name]) => ({ id, name }))
    .toSorted((one, other) => one.name.localeCompare(other.name));
}
