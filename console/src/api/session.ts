/** The signed-in user and their permissions. */

import type { Session } from "@leadport/client";
import { queryOptions, useSuspenseQuery } from "@tanstack/react-query";
import { api, isSignedOut } from "./client.ts";

export type Role = Session["person"]["role"];

export type Permission =
  | "records:read"
  | "records:write"
  | "exchange:review"
  | "admin"
  | "ssn:read";

/** The query for the session. The result is null if no user is signed in. */
export const sessionQuery = queryOptions({
  queryKey: ["session"],
  queryFn: async ({ signal }): Promise<Session | null> => {
    try {
      return await api.get("/auth/session", { signal });
    } catch (error) {
      if (isSignedOut(error)) return null;
      throw error;
    }
  },
  staleTime: 60_000,
});

/** Returns the session, for pages that require a signed-in user. */
export function useSession(): Session {
  const { data } = useSuspenseQuery(sessionQuery);
  if (data === null) throw new Error("No user is signed in");
  return data;
}

/** Whether a session has a permission. `permissions` includes permissions that are implied by others. */
export const may = ({ permissions }: Session, wanted: Permission): boolean =>
  permissions.includes(wanted);

/** Whether the signed-in user has a permission. */
export const useMay = (wanted: Permission): boolean => may(useSession(), wanted);
