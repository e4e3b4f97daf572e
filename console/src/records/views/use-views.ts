/** Views that somebody saved: a name for a state of a table, kept with the person's preferences. */

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { changePreference, preferencesQuery, type Sending, useSending } from "../../api/index.ts";
import type { RecordType } from "../record/index.ts";
import type { TableState } from "../list/index.ts";

/** The view that shows all records: the address's `view` where none that was saved is meant. */
export const ALL = "all";

export interface View {
  readonly id: string;
  readonly name: string;
  readonly state: TableState;
  /** Whether the table opens with it. */
  readonly is_default?: boolean;
}

/** The views of each type, by its plural. */
type KeptViews = Readonly<Record<string, readonly View[]>>;

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
    async ({ edit }: ViewsEdit) =>
      changePreference<KeptViews>(queries, "views", (kept) => ({
        ...kept,
        [type.table]: edit(kept?.[type.table] ?? []),
      })),
    (_done, { onKept }) => onKept?.(),
  );
  const kept = data?.["views"] as KeptViews | undefined;
  return { isPending, views: kept?.[type.table] ?? [], save };
}

/** An id that no other view of the person has. */
export const newViewId = (): string => Date.now().toString(36);
