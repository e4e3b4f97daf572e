/** An entry of the palette. */

import type { Icon } from "@tabler/icons-react";
import { beginsWords } from "./begins.ts";

export interface Choice {
  readonly id: string;
  readonly label: string;
  readonly hint?: string | undefined;
  readonly icon: Icon;
  /** The page that it opens, or the action that it runs. */
  readonly to: string | (() => void);
}

export interface ChoiceGroup {
  readonly label: string;
  readonly choices: readonly Choice[];
}

/** Returns the choices whose words start with the words of a search; all choices if it is empty. */
export const choicesWith = (groups: readonly ChoiceGroup[], text: string): readonly ChoiceGroup[] =>
  groups
    .map(({ label, choices }) => ({
      label,
      choices: choices.filter(({ label: name, hint = "" }) => beginsWords(`${name} ${hint}`, text)),
    }))
    .filter(({ choices }) => choices.length > 0);
