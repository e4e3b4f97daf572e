/** The state of demo data, reloaded every second while it is being loaded or removed. */

import type { Demo } from "@leadport/client";
import { queryOptions, useQuery, type UseQueryResult } from "@tanstack/react-query";
import { api, useMay } from "../api/index.ts";

const LOOK_ms = 1000;

export const isBusy = (demo: Demo | undefined): boolean =>
  demo?.state === "filling" || demo?.state === "removing";

export const demoQuery = queryOptions({
  queryKey: ["demo"],
  queryFn: ({ signal }) => api.get("/crm/admin/demo", { signal }),
  refetchInterval: ({ state }) => (isBusy(state.data) ? LOOK_ms : false),
});

/** Requested for owners only. For other users, there is no demo data. */
export function useDemo(): UseQueryResult<Demo> {
  const [isAdmin, isOwner] = [useMay("admin"), useMay("ssn:read")];
  return useQuery({ ...demoQuery, enabled: isAdmin && isOwner });
}
