/** Views that somebody saved: a name for a state of a table, kept with the person's preferences. */

import { queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { ask } from "../../api/client.ts";
import { useSending, type Sending } from "../../ui/use-sending.ts";
import type { RecordType } from "../record-types.ts";
import type { TableState } from "./search.ts";

/** The view that shows all records: the address's `view` where none that was saved is meant. */
export const ALL = "all";

export interface View {
  readonly id: string;
  readonly name: string;
  readonly state: TableState;
  /** Whether the table opens with it. */
  readonly is_default?: boolean;
}

interface Preferences {
  readonly views?: Readonly<Record<string, readonly View[]>>;
}

const preferencesQuery = queryOptions({
  queryKey: ["preferences"],
  queryFn: async ({ signal }) =>
    (await ask<Preferences>("get", "/auth/preferences", { signal })).data,
  staleTime: 60_000,
});

/** An edit of the views as the service has them, and what follows once it is kept. */
export interface ViewsEdit {
  readonly edit: (views: readonly View[]) => readonly View[];
  readonly onKept?: () => void;
}

export interface Views {
  readonly isPending: boolean;
  readonly views: readonly View[];
  readonly save: Sending<ViewsEdit>;
}

export function useViews(type: RecordType): Views {
  const queries = useQueryClient();
  const { data, isPending } = useQuery(preferencesQuery);
  const save = useSending(
    async ({ edit }: ViewsEdit) => {
      // Read anew: what another page or window keeps there stays.
      const kept = await queries.fetchQuery({ ...preferencesQuery, staleTime: 0 });
      const views = edit(kept.views?.[type.table] ?? []);
      const body = { ...kept, views: { ...kept.views, [type.table]: views } };
      await ask("put", "/auth/preferences", { body });
      return body;
    },
    (body, { onKept }) => {
      queries.setQueryData(preferencesQuery.queryKey, body);
      onKept?.();
    },
  );
  return { isPending, views: data?.views?.[type.table] ?? [], save };
}

/** An id that no other view of the person has. */
export const newViewId = (): string => Date.now().toString(36);
