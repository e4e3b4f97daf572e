/** What the palette offers, whatever it is. */

import type { Icon } from "@tabler/icons-react";
import { beginsWords } from "./begins.ts";

export interface Choice {
  readonly id: string;
  readonly label: string;
  readonly hint?: string | undefined;
  readonly icon: Icon;
  /** Where it leads within the console, or what it does. */
  readonly to: string | (() => void);
}

export interface ChoiceGroup {
  readonly label: string;
  readonly choices: readonly Choice[];
}

/** The choices with words that begin with those of a text; all for an empty text. */
export const choicesWith = (groups: readonly ChoiceGroup[], text: string): readonly ChoiceGroup[] =>
  groups
    .map(({ label, choices }) => ({
      label,
      choices: choices.filter(({ label: name, hint = "" }) => beginsWords(`${name} ${hint}`, text)),
    }))
    .filter(({ choices }) => choices.length > 0);
