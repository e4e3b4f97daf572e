/**
 * Restores the focus to a card after it moves, because the element that had the focus is removed.
 */

import { useEffect } from "react";

export type Control = "menu" | "handle";

/** How long to wait for the moved card to appear in its new column. */
const MOVING_ms = 3000;

let moved: { readonly id: string; readonly control: Control } | undefined;

/** Focuses a control on a card if the card is on the board. */
export const focusCard = (id: string, control: Control): void =>
  document.querySelector<HTMLElement>(`[data-${control}="${CSS.escape(id)}"]`)?.focus();

/** Focuses a control on a card once the card appears in its new column or reappears in its old one. */
export function focusWhenMoved(id: string, control: Control): void {
  const wanted = { id, control };
  moved = wanted;
  setTimeout(() => {
    if (moved === wanted) moved = undefined;
    // On a narrow screen, the new column is not visible, so the heading gets the focus.
    if (document.activeElement === document.body) document.querySelector("h1")?.focus();
  }, MOVING_ms);
}

/** Called by each card. Focuses the card's control after a move, unless another element has the focus. */
export function useFocusWhenMoved(id: string): void {
  useEffect(() => {
    if (moved?.id !== id || document.activeElement !== document.body) return;
    focusCard(id, moved.control);
  }, [id]);
}
