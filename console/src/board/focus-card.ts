/** Restores the focus to a moved card. Its old element, which had the focus, is removed. */

import { useEffect } from "react";

export type Control = "menu" | "handle";

/** How long to wait for the moved card to appear in another column. */
const MOVING_ms = 3000;

let moved: { readonly id: string; readonly control: Control } | undefined;

/** Focuses a control of a card if the card is on the board. */
export const focusCard = (id: string, control: Control): void =>
  document.querySelector<HTMLElement>(`[data-${control}="${CSS.escape(id)}"]`)?.focus();

/** Focuses a control of a card once the card is in its new column, or back in the old one. */
export function focusWhenMoved(id: string, control: Control): void {
  const wanted = { id, control };
  moved = wanted;
  setTimeout(() => {
    if (moved === wanted) moved = undefined;
    // On a narrow screen, the new column is not visible.
    if (document.activeElement === document.body) document.querySelector("h1")?.focus();
  }, MOVING_ms);
}

/** Used by each card: takes the focus after a move, unless another element has it. */
export function useFocusWhenMoved(id: string): void {
  useEffect(() => {
    if (moved?.id !== id || document.activeElement !== document.body) return;
    focusCard(id, moved.control);
  }, [id]);
}
