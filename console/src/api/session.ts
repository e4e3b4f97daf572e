/** Who is signed in, and what they may do. */

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

/** The session; null where nobody is signed in. */
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

/** For pages behind the sign-in alone. */
export function useSession(): Session {
  const { data } = useSuspenseQuery(sessionQuery);
  if (data === null) throw new Error("Nobody is signed in");
  return data;
}

/** Whether a session holds a permission; it names those, too, that others include. */
export const may = ({ permissions }: Session, wanted: Permission): boolean =>
  permissions.includes(wanted);

/** Whether whoever is signed in holds a permission. */
export const useMay = (wanted: Permission): boolean => may(useSession(), wanted);
