/**
 * The names of the business's users: all users for administrators, otherwise only users with tasks.
 */

import { useQuery } from "@tanstack/react-query";
import { ask, readPage, useMay, useSession } from "../api/index.ts";
import { listPath, typeNamed } from "../record/index.ts";
import type { Named } from "./partner-names.ts";

const STALE_ms = 60_000;
const TASKS_READ = 500;

interface Assigned {
  readonly userid: string | null;
  readonly user_name: string | null;
}

/** Returns all known users, the signed-in user first. The users are loaded only if they are needed. */
export function useUserNames(isWanted = true): readonly Named[] {
  const { person } = useSession();
  const isAdmin = useMay("admin");
  const all = useQuery({
    queryKey: ["people", "names"],
    queryFn: async ({ signal }) =>
      (await ask<readonly Named[]>("get", "/crm/admin/people", { signal })).data,
    enabled: isAdmin && isWanted,
    staleTime: STALE_ms,
  });
  const assigned = useQuery({
    queryKey: ["list", listPath(typeNamed("task")), "users"],
    queryFn: async ({ signal }) => {
      const query = { fields: "userid,user_name", page_size: TASKS_READ };
      return (await readPage<Assigned>(listPath(typeNamed("task")), { query, signal })).items;
    },
    enabled: !isAdmin && isWanted,
    staleTime: STALE_ms,
  });
  const names = new Map([[person.id, person.name]]);
  for (const { id, name } of all.data ?? []) names.set(id, name);
  for (const { userid, user_name } of assigned.data ?? []) {
    if (userid !== null && user_name !== null) names.set(userid, user_name);
  }
  return [...names].map(([id, name]) => ({ id, name }));
}
