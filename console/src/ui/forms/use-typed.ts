/** The text of a search box, which is applied shortly after the last keystroke. */

import { useDebouncedCallback } from "@mantine/hooks";
import { useLocation } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";

const PAUSE_ms = 300;

export interface Typed {
  readonly text: string;
  readonly type: (text: string) => void;
  /** Empties the box. The caller applies the empty text, together with other changes if there are any. */
  readonly clear: () => void;
}

/** `value` is the applied text. If it changes elsewhere, such as with the back button, the box shows the change. */
export function useTyped(value: string, apply: (text: string) => void): Typed {
  const { pathname } = useLocation();
  const [text, setText] = useState(value);
  const applied = useRef(value);
  const applyLater = useDebouncedCallback((typed: string) => {
    applied.current = typed.trim();
    apply(applied.current);
  }, PAUSE_ms);
  const show = (shown: string) => {
    applyLater.cancel();
    applied.current = shown;
    setText(shown);
  };
  useEffect(() => {
    if (value !== applied.current) show(value);
  }, [value]);
  // If the user opens another page, the text is not applied, because this would cancel the navigation.
  useEffect(() => () => applyLater.cancel(), [pathname]);
  return {
    text,
    type: (typed) => {
      setText(typed);
      applyLater(typed);
    },
    clear: () => show(""),
  };
}
