/** What the person who is signed in likes to have as they left it: one object, kept by the service. */

import { queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { useSending, type Sending } from "../ui/use-sending.ts";
import { ask } from "./client.ts";

type Preferences = Readonly<Record<string, unknown>>;

const PATH = "/auth/preferences";

const preferencesQuery = queryOptions({
  queryKey: ["preferences"],
  queryFn: async ({ signal }) => (await ask<Preferences>("get", PATH, { signal })).data,
  staleTime: 60_000,
});

export interface Preference<T> {
  readonly value: T;
  readonly saving: Sending<T>;
}

/** One of them by its name; `fallback` until it is read, and where it was never saved. */
export function usePreference<T>(
  name: string,
  fallback: T,
  onSaved?: (value: T) => unknown,
): Preference<T> {
  const queries = useQueryClient();
  const { data } = useQuery(preferencesQuery);
  const saving = useSending(
    async (value: T) => {
      // Another window may have saved others meanwhile.
      const present = (await ask<Preferences>("get", PATH)).data;
      const next = { ...present, [name]: value };
      await ask("put", PATH, { body: next });
      return next;
    },
    (next, value) => {
      queries.setQueryData(preferencesQuery.queryKey, next);
      return onSaved?.(value);
    },
  );
  return { value: (data?.[name] as T | undefined) ?? fallback, saving };
}
