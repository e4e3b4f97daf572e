/** The signed-in user's preferences: one object, stored by the service. */

import { queryOptions, useQuery, useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useSending, type Sending } from "./use-sending.ts";
import { ask } from "./client.ts";

type Preferences = Readonly<Record<string, unknown>>;

const PATH = "/auth/preferences";

export const preferencesQuery = queryOptions({
  queryKey: ["preferences"],
  queryFn: async ({ signal }) => (await ask<Preferences>("get", PATH, { signal })).data,
  staleTime: 60_000,
});

/**
 * Changes one preference. Reads all preferences first, so that changes made in another page or
 * window are not lost.
 */
export async function changePreference<T>(
  queries: QueryClient,
  name: string,
  change: (kept: T | undefined) => T,
): Promise<void> {
  const kept = await queries.fetchQuery({ ...preferencesQuery, staleTime: 0 });
  const next = { ...kept, [name]: change(kept[name] as T | undefined) };
  await ask("put", PATH, { body: next });
  queries.setQueryData(preferencesQuery.queryKey, next);
}

export interface Preference<T> {
  readonly value: T;
  readonly saving: Sending<T>;
}

/**
 * Returns one preference by name. Returns `fallback` while the preferences are loading, or if the preference was never
 * saved.
 */
export function usePreference<T>(
  name: string,
  fallback: T,
  onSaved?: (value: T) => unknown,
): Preference<T> {
  const queries = useQueryClient();
  const { data } = useQuery(preferencesQuery);
  const saving = useSending(
    async (value: T) => changePreference(queries, name, () => value),
    (_done, value) => onSaved?.(value),
  );
  return { value: (data?.[name] as T | undefined) ?? fallback, saving };
}
