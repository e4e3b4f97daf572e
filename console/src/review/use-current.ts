/**
 * The current lead. Keyboard shortcuts change it immediately. The URL is updated once the user
 * pauses, so that reloading the page and sharing links open the same lead.
 */

import { useNavigate, useParams } from "@tanstack/react-router";
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
    if (id === ours.current) return undefined;
    const timer = setTimeout(() => go(id, true), REST_ms);
    return () => clearTimeout(timer);
  }, [id, go]);

  const open = useCallback(
    (to: string | undefined) => {
      setId(to);
      go(to, false);
    },
    [go],
  );
  return { id, set: setId, open };
}
