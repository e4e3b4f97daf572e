/**
 * Keeps a table's state in the URL, so that reloading, going back and sharing links preserve it.
 */

import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useCallback } from "react";
import type { TableSearch, TableState } from "../list/index.ts";

const TYPED = new Set(["q", "from", "to"]);

const route = getRouteApi("/console/$type");

export interface TableAddress {
  readonly plural: string;
  readonly search: TableSearch;
  /** Changes some members of the state. Members set to undefined are removed. */
  readonly change: (part: TableSearch) => void;
  /** Replaces the whole state. */
  readonly replace: (search: TableSearch) => void;
}

export function useTableAddress(): TableAddress {
  const { type: plural } = route.useParams();
  const search = route.useSearch();
  const navigate = useNavigate();
  const go = useCallback(
    (next: (now: TableSearch) => TableSearch, isReplaced = false) =>
      void navigate({
        replace: isReplaced,
        to: "/$type",
        params: { type: plural },
        search: (now: TableSearch) => next(now),
        resetScroll: false,
      }),
    [navigate, plural],
  );
  const change = useCallback(
    (part: TableState) => {
      // Replace the history entry while the user types, so that the back button does not step
      // through every keystroke.
      const isTyped = Object.keys(part).every((name) => TYPED.has(name));
      go((now) => ({ ...now, ...part }), isTyped);
    },
    [go],
  );
  const replace = useCallback((next: TableSearch) => go(() => next), [go]);
  return { plural, search, change, replace };
}
