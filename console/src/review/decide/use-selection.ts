/** The leads selected for a bulk decision. */

import { useCallback, useMemo, useRef, useState } from "react";

export interface Selection {
  /** The IDs of selected leads that are still in the list. */
  readonly ids: ReadonlySet<string>;
  readonly toggle: (id: string) => void;
  /** Selects all leads from the last selected lead to this lead, including both. */
  readonly extendTo: (id: string) => void;
  readonly all: () => void;
  readonly clear: () => void;
}

const NONE: ReadonlySet<string> = new Set();

export function useSelection(listed: readonly string[]): Selection {
  const [chosen, setChosen] = useState(NONE);
  const anchor = useRef<string | undefined>(undefined);
  const ids = useMemo(
    () => (chosen.size === 0 ? NONE : new Set(listed.filter((id) => chosen.has(id)))),
    [chosen, listed],
  );
  const toggle = useCallback((id: string) => {
    anchor.current = id;
    setChosen((before) => {
      const next = new Set(before);
      if (!next.delete(id)) next.add(id);
      return next;
    });
  }, []);
  const extendTo = useCallback(
    (id: string) => {
      const to = listed.indexOf(id);
      const from = anchor.current === undefined ? to : listed.indexOf(anchor.current);
      if (to < 0) return;
      const [first, last] = from < 0 ? [to, to] : [Math.min(from, to), Math.max(from, to)];
      setChosen((before) => new Set([...before, ...listed.slice(first, last + 1)]));
    },
    [listed],
  );
  const all = useCallback(() => setChosen(new Set(listed)), [listed]);
  const clear = useCallback(() => setChosen(NONE), []);
  return { ids, toggle, extendTo, all, clear };
}
