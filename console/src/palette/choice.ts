/** An entry of the palette. */

import type { Icon } from "@tabler/icons-react";
import { beginsWords } from "./begins.ts";

export interface Choice {
  readonly id: string;
  readonly label: string;
  readonly hint?: string | undefined;
  readonly icon: Icon;
  /** The page it opens, or the action it runs. */
  readonly to: string | (() => void);
}

export interface ChoiceGroup {
  readonly label: string;
  readonly choices: readonly Choice[];
}

/** The choices that match a text by the beginnings of words; all choices if the text is empty. */
export const choicesWith = (groups: readonly ChoiceGroup[], text: string): readonly ChoiceGroup[] =>
  groups
    .map(({ label, choices }) => ({
      label,
      choices: choices.filter(({ label: name, hint = "" }) => beginsWords(`${name} ${hint}`, text)),
    }))
    .filter(({ choices }) => choices.length > 0);
