/** An entry in the palette. */

import type { Icon } from "@tabler/icons-react";
import { beginsWords } from "./begins.ts";

export interface Choice {
  readonly id: string;
  readonly label: string;
  readonly hint?: string | undefined;
  readonly icon: Icon;
  /** The page that the entry opens, or the action that it runs. */
  readonly to: string | (() => void);
}

export interface ChoiceGroup {
  readonly label: string;
  readonly choices: readonly Choice[];
}

/**
 * Returns the choices that match a search by the beginnings of their words; all choices if the
 * search is empty.
 */
export const choicesWith = (groups: readonly ChoiceGroup[], text: string): readonly ChoiceGroup[] =>
  groups
    .map(({ label, choices }) => ({
      label,
      choices: choices.filter(({ label: name, hint = "" }) => beginsWords(`${name} ${hint}`, text)),
    }))
    .filter(({ choices }) => choices.length > 0);
