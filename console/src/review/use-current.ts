/**
 * The current lead. Keyboard shortcuts change it immediately. The URL is updated once the user
 * pauses, so that reloading the page and sharing links open the same lead.
 */

import { useLocation, useNavigate, useParams } from "@tanstack/react-router";
import { useCallback, useEffect, useRef, useState } from "react";

const REST_ms = 150;

export interface Current {
  readonly id: string | undefined;
  /** Changes the current lead without adding a history entry. */
  readonly set: (id: string | undefined) => void;
  /** Opens a lead and adds a history entry, so that the back button returns to the previous state. */
  readonly open: (id: string | undefined) => void;
}

export function useCurrent(): Current {
  const { id: addressed } = useParams({ strict: false });
  const navigate = useNavigate();
  /** Whether the user has opened another page, which may still be loading. */
  const isLeaving = useLocation({ select: ({ pathname }) => !pathname.startsWith("/review") });
  const [id, setId] = useState(addressed);
  /** The ID that this hook last put into the URL. */
  const ours = useRef(addressed);

  useEffect(() => {
    if (addressed === ours.current) return;
    ours.current = addressed;
    setId(addressed);
  }, [addressed]);

  const go = useCallback(
    (to: string | undefined, replace: boolean) => {
      ours.current = to;
      const how = { search: true, replace, resetScroll: false } as const;
      void (to === undefined
        ? navigate({ to: "/review", ...how })
        : navigate({ to: "/review/$id", params: { id: to }, ...how }));
    },
    [navigate],
  );

  useEffect(() => {
    // Updating the URL would cancel the navigation to the other page.
    if (id === ours.current || isLeaving) return undefined;
    const timer = setTimeout(() => go(id, true), REST_ms);
    return () => clearTimeout(timer);
  }, [id, go, isLeaving]);

  const open = useCallback(
    (to: string | undefined) => {
      setId(to);
      go(to, false);
    },
    [go],
  );
  return { id, set: setId, open };
}
