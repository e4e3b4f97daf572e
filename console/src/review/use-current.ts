/**
 * Which lead is looked at. A key moves it at once; the address follows when the keys rest, so that
 * reload and a link lead to the same lead.
 */

import { useNavigate, useParams } from "@tanstack/react-router";
import { useCallback, useEffect, useRef, useState } from "react";

const REST_ms = 150;

export interface Current {
  readonly id: string | undefined;
  /** Another one in place of this, in the list beside it. */
  readonly set: (id: string | undefined) => void;
  /** Opens one as a page of its own, to which the browser's way back leads. */
  readonly open: (id: string | undefined) => void;
}

export function useCurrent(): Current {
  const { id: addressed } = useParams({ strict: false });
  const navigate = useNavigate();
  const [id, setId] = useState(addressed);
  /** What we have made the address say. */
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
