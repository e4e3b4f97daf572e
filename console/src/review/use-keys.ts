/** Keyboard shortcuts for a page. They are ignored while the user is typing or a dialog is open. */

import { useLayoutEffect, useRef } from "react";

/** Functions by key name: `a`, `?`, `ArrowDown`, `Shift+x`, `Ctrl+a` (⌘A on a Mac). */
export type Keys = Readonly<Record<string, () => void>>;

const TYPED_IN = "input:not([type=checkbox]), textarea, select, [contenteditable=true]";
const OF_ITS_OWN = '[role="dialog"], [role="menu"], [role="listbox"]';
/** Elements that respond to Enter and Space themselves. */
const PRESSED = "a, button, input, summary";

export function useKeys(keys: Keys, isOn: boolean): void {
  const present = useRef(keys);
  present.current = keys;
  // The listener is added before the page is shown, so that no key is lost.
  useLayoutEffect(() => {
    if (!isOn) return undefined;
    const listen = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.altKey || event.isComposing) return;
      const target = event.target instanceof Element ? event.target : document.body;
      if (target.closest(`${TYPED_IN}, ${OF_ITS_OWN}`) !== null) return;
      if (document.querySelector('[role="dialog"][aria-modal="true"]') !== null) return;
      if ((event.key === " " || event.key === "Enter") && target.closest(PRESSED) !== null) return;
      const call = present.current[nameOf(event)];
      if (call === undefined) return;
      event.preventDefault();
      call();
    };
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, [isOn]);
}

function nameOf({ key, shiftKey, ctrlKey, metaKey }: KeyboardEvent): string {
  const isLetter = /^[a-z]$/i.test(key);
  const name = isLetter ? key.toLowerCase() : key;
  if (ctrlKey || metaKey) return `Ctrl+${name}`;
  return shiftKey && isLetter ? `Shift+${name}` : name;
}
