/** Who is signed in, and what they may do. */

import { queryOptions, useSuspenseQuery } from "@tanstack/react-query";
import { ask, isSignedOut } from "./client.ts";

export type Role = "owner" | "admin" | "reviewer" | "agent" | "viewer";

export type Permission =
  | "records:read"
  | "records:write"
  | "exchange:review"
  | "admin"
  | "ssn:read";

export interface Session {
  readonly person: {
    readonly id: string;
    readonly name: string;
    readonly email: string;
    readonly role: Role;
    readonly has_second_factor: boolean;
    readonly recovery_codes_left: number;
  };
  readonly tenant: {
    readonly id: string;
    readonly name: string;
    readonly currency: string;
    readonly timezone: string;
    readonly default_country: string;
  };
  readonly permissions: readonly Permission[];
  readonly session: {
    readonly id: string;
    readonly created_ts: number;
    readonly expires_ts: number;
  };
}

/** The session; null where nobody is signed in. */
export const sessionQuery = queryOptions({
  queryKey: ["session"],
  queryFn: async ({ signal }): Promise<Session | null> => {
    try {
      return (await ask<Session>("get", "/auth/session", { signal })).data;
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

const INCLUDES: Readonly<Partial<Record<Permission, readonly Permission[]>>> = {
  "records:write": ["records:read"],
  admin: ["records:read", "records:write", "exchange:review"],
};

/** Whether a session holds a permission, by itself or in another one. */
export const may = ({ permissions }: Session, wanted: Permission): boolean =>
  permissions.some((held) => held === wanted || INCLUDES[held]?.includes(wanted) === true);

/** Whether whoever is signed in holds a permission. */
export const useMay = (wanted: Permission): boolean => may(useSession(), wanted);
