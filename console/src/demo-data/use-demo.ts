/**
 * The state of the demo data. It is polled every second while demo data is being loaded or removed.
 */

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

/** Loads the state for owners only. Other users never see demo data. */
export function useDemo(): UseQueryResult<Demo> {
  const isAdmin = useMay("admin");
  const isOwner = useMay("ssn:read");
  return useQuery({ ...demoQuery, enabled: isAdmin && isOwner });
}
