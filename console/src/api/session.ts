/** The signed-in user and their permissions. */

import type { Session } from "@leadport/client";
import { type QueryClient, queryOptions, useSuspenseQuery } from "@tanstack/react-query";
import { apiAsAnyone, isSignedOut } from "./client.ts";

export type Role = Session["person"]["role"];

export type Permission =
  | "records:read"
  | "records:write"
  | "exchange:review"
  | "admin"
  | "ssn:read";

/**
 * The query for the session. Fails with 401 if no user is signed in. If the session ends later, the pages keep the last
 * one until the user leaves them.
 */
export const sessionQuery = queryOptions({
  queryKey: ["session"],
  queryFn: ({ signal }): Promise<Session> => apiAsAnyone.get("/auth/session", { signal }),
  staleTime: 60_000,
});

/** Returns the session; null if no user is signed in. */
export async function readSession(queries: QueryClient): Promise<Session | null> {
  try {
    return await queries.ensureQueryData(sessionQuery);
  } catch (error) {
    if (isSignedOut(error)) return null;
    throw error;
  }
}

/** Returns the session, for pages that require a signed-in user. */
export const useSession = (): Session => useSuspenseQuery(sessionQuery).data;

/** Whether a session has a permission. `permissions` includes permissions that are implied by others. */
export const may = ({ permissions }: Session, wanted: Permission): boolean =>
  permissions.includes(wanted);

/** Whether the signed-in user has a permission. */
export const useMay = (wanted: Permission): boolean => may(useSession(), wanted);
