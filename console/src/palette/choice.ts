/** What the palette offers, whatever it is. */

import type { Icon } from "@tabler/icons-react";

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

/** The choices with a word that begins with each word of a text; all for an empty text. */
export function choicesWith(groups: readonly ChoiceGroup[], text: string): readonly ChoiceGroup[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return groups
    .map(({ label, choices }) => ({
      label,
      choices: choices.filter(({ label: name, hint = "" }) => {
        const said = `${name} ${hint}`.toLowerCase();
        // "ines" is no search for "Business".
        return words.every((word) => ` ${said}`.includes(` ${word}`));
      }),
    }))
    .filter(({ choices }) => choices.length > 0);
}
