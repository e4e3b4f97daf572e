/** The palette's results in groups, as one listbox for keyboard and mouse. */

import { Text, UnstyledButton } from "@mantine/core";
import { useEffect } from "react";
import type { Choice, ChoiceGroup } from "./choice.ts";
import css from "./palette.module.css";
import { paletteTexts } from "../text/palette.ts";

export interface ChoicesProps {
  readonly id: string;
  readonly groups: readonly ChoiceGroup[];
  readonly selected: Choice | undefined;
  readonly onSelect: (id: string) => void;
  readonly onTake: (choice: Choice) => void;
}

/** Returns a choice's element ID. */
export const optionId = (listId: string, { id }: Choice): string => `${listId}-${id}`;

export function Choices({ id, groups, selected, onSelect, onTake }: ChoicesProps) {
  const selectedId = selected && optionId(id, selected);
  useEffect(() => {
    if (selectedId === undefined) return;
    document.getElementById(selectedId)?.scrollIntoView({ block: "nearest" });
  }, [selectedId]);
  return (
    <div id={id} role="listbox" aria-label={paletteTexts.choices} className={css["list"]}>
      {groups.map(({ label, choices }) => (
        <div key={label} role="group" aria-label={label}>
          <Text size="xs" fw={600} c="dimmed" px="md" pt="xs" pb={4} aria-hidden>
            {label}
          </Text>
          {choices.map((choice) => {
            const { icon: Pictured } = choice;
            const isSelected = choice === selected;
            return (
              <UnstyledButton
                key={choice.id}
                id={optionId(id, choice)}
                role="option"
                aria-selected={isSelected}
                tabIndex={-1}
                className={css["choice"]}
                // Keep the focus in the input.
                onMouseDown={(event) => event.preventDefault()}
                onMouseMove={() => onSelect(choice.id)}
                onClick={() => onTake(choice)}
              >
                <Pictured size={18} stroke={1.75} aria-hidden />
                <span className={css["name"]}>{choice.label}</span>
                <span className={css["hint"]}>{choice.hint}</span>
              </UnstyledButton>
            );
          })}
        </div>
      ))}
    </div>
  );
}
