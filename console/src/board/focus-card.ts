/** Gives the focus back to a card that was moved: it was lost with the card in its old column. */

import { useEffect } from "react";

export type Control = "menu" | "handle";

/** For how long a card that appears in another column is taken for the one that was moved. */
const MOVING_ms = 3000;

let moved: { readonly id: string; readonly control: Control } | undefined;

/** Focuses a control of a card, if the card is on the board. */
export const focusCard = (id: string, control: Control): void =>
  document.querySelector<HTMLElement>(`[data-${control}="${CSS.escape(id)}"]`)?.focus();

/** Asks that a control of a card has the focus when the card is in its new column, or back in its old one. */
export function focusWhenMoved(id: string, control: Control): void {
  const wanted = { id, control };
  moved = wanted;
  setTimeout(() => {
    if (moved === wanted) moved = undefined;
    // On a narrow screen the new column is not in sight.
    if (document.activeElement === document.body) document.querySelector("h1")?.focus();
  }, MOVING_ms);
}

/** To be used by each card: takes the focus, where nothing else has it, if it was moved. */
export function useFocusWhenMoved(id: string): void {
  useEffect(() => {
    if (moved?.id !== id || document.activeElement !== document.body) return;
    focusCard(id, moved.control);
  }, [id]);
}
