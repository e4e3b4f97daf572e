/**
 * The current lead. Keys change it immediately; the URL follows when the user pauses, so that
 * reload and links lead to the same lead.
 */

import { useNavigate, useParams } from "@tanstack/react-router";
import { useCallback, useEffect, useRef, useState } from "react";

const REST_ms = 150;

export interface Current {
  readonly id: string | undefined;
  /** Replaces the current lead, with the list next to it. */
  readonly set: (id: string | undefined) => void;
  /** Opens a lead as a separate page, to which the back button returns. */
  readonly open: (id: string | undefined) => void;
}

export function useCurrent(): Current {
  const { id: addressed } = useParams({ strict: false });
  const navigate = useNavigate();
  const [id, setId] = useState(addressed);
  /** The ID that we have put into the URL. */
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
