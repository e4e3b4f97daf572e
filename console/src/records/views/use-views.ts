/** Saved views are named table states, stored with the user's preferences. */

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { changePreference, preferencesQuery, type Sending, useSending } from "../../api/index.ts";
import type { RecordType } from "../../record/index.ts";
import type { TableState } from "../list/index.ts";

/** The view with all records. It is used if `view` in the URL is not the ID of a saved view. */
export const ALL = "all";

export interface View {
  readonly id: string;
  readonly name: string;
  readonly state: TableState;
  /** Whether the table opens with this view by default. */
  readonly is_default?: boolean;
}

/** Saved views by the plural of their record type. */
type KeptViews = Readonly<Record<string, readonly View[]>>;

/** A change to the stored views, and what to do once it is saved. */
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
        [type.plural]: edit(kept?.[type.plural] ?? []),
      })),
    (_done, { onKept }) => onKept?.(),
  );
  const kept = data?.["views"] as KeptViews | undefined;
  return { isPending, views: kept?.[type.plural] ?? [], save };
}

/** Returns an ID that is unique among the user's views. */
export const newViewId = (): string => Date.now().toString(36);
