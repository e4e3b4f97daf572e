/** Gives the focus back to a card that was moved: it was lost with the card in its old column. */

import type { Deal } from "./deals.ts";

/** After how long a menu that was closed, or a card that was put down, has given the focus back. */
const SETTLED_ms = 250;

/** The focus, where nothing has it, to a control of a card; to the page's heading where the card is not in sight. */
export function focusCard({ _id }: Deal, control: "menu" | "handle"): void {
  setTimeout(() => {
    if (document.activeElement !== document.body) return;
    const found = document.querySelector<HTMLElement>(`[data-${control}="${CSS.escape(_id)}"]`);
    (found ?? document.querySelector<HTMLElement>("h1"))?.focus();
  }, SETTLED_ms);
}
