/**
 * The behavior that all searchable dropdowns share: the first match is highlighted, Enter never submits the form while
 * a dropdown is open, and typed text is not lost silently if no option is selected.
 */

import { useRef, useState, type FocusEvent, type KeyboardEvent, type ReactNode } from "react";
import { t } from "../../text/index.ts";

type Input = HTMLInputElement;

/** Returns the id of an input's list of options, which is missing while the dropdown is closed. */
const listOf = (input: Input): string => input.getAttribute("aria-controls") ?? "";

const optionsIn = (list: string): readonly HTMLElement[] => [
  ...(document.getElementById(list)?.querySelectorAll<HTMLElement>("[data-combobox-option]") ?? []),
];

const isHighlighted = (option: HTMLElement): boolean =>
  Object.hasOwn(option.dataset, "comboboxSelected");

/** Whether Enter would otherwise submit the form or insert a line break. */
const isEnter = ({ key, nativeEvent }: KeyboardEvent): boolean =>
  key === "Enter" && !nativeEvent.isComposing;

/** Tracks whether a dropdown is open. */
function useDropdown() {
  const [dropdownOpened, setOpened] = useState(false);
  return {
    dropdownOpened,
    onDropdownOpen: () => setOpened(true),
    onDropdownClose: () => setOpened(false),
  };
}

/**
 * Handles Enter in an open dropdown: chooses the highlighted option, or calls `orElse` if there is none. Mantine would
 * choose by position, which may no longer match the highlight once the options have changed.
 */
function chooseOnEnter(event: KeyboardEvent<Input>, orElse: () => void): void {
  event.preventDefault();
  event.stopPropagation();
  const highlighted = optionsIn(listOf(event.currentTarget)).find(isHighlighted);
  if (highlighted === undefined) orElse();
  else highlighted.click();
}

/** Returns the props of a Mantine Autocomplete in which Enter does not submit the form. */
export function useSuggesting() {
  const dropdown = useDropdown();
  return {
    ...dropdown,
    onKeyDownCapture: (event: KeyboardEvent<Input>) => {
      // Without options, Mantine hides the dropdown although it is open.
      if (!isEnter(event) || !dropdown.dropdownOpened) return;
      if (optionsIn(listOf(event.currentTarget)).length === 0) return;
      chooseOnEnter(event, dropdown.onDropdownClose);
    },
  };
}

export interface Searching {
  /** The text that the input shows while the user is not searching. */
  readonly shown: string;
  /** Whether the options for the current text are still loading. */
  readonly isStale: boolean | undefined;
  readonly error: ReactNode;
}

/** Returns the props of a searchable Mantine Select or MultiSelect. */
export function useSearching({ shown, isStale = false, error }: Searching) {
  const [typed, setTyped] = useState<string>();
  const [lost, setLost] = useState<string>();
  // A click outside closes the dropdown before the input loses the focus.
  const list = useRef("");
  const dropdown = useDropdown();
  const isLeft = typed !== undefined && typed.trim() !== shown;
  const isSearch = isLeft && typed.trim() !== "";
  return {
    ...dropdown,
    isSearch,
    searchable: true,
    nothingFoundMessage: t.common.noOptions,
    // Highlights the first option each time this value changes to true, which also happens when results arrive.
    selectFirstOptionOnChange: isSearch && !isStale,
    error: error || (lost !== undefined && t.common.notAnOption(lost)),
    onInput: ({ currentTarget }: { readonly currentTarget: Input }) => {
      list.current = listOf(currentTarget) || list.current;
      setTyped(currentTarget.value);
      setLost(undefined);
    },
    onOptionSubmit: () => {
      setTyped(undefined);
      setLost(undefined);
    },
    onKeyDownCapture: (event: KeyboardEvent<Input>) => {
      if (!isEnter(event) || !(isLeft || dropdown.dropdownOpened)) return;
      chooseOnEnter(event, isLeft ? dropdown.onDropdownOpen : dropdown.onDropdownClose);
    },
    // Mantine clears the text on blur.
    onBlurCapture: (event: FocusEvent<Input>) => {
      if (!isSearch) return;
      setTyped(undefined);
      if (!isStale && chooseNamed(list.current, typed)) return;
      setLost(typed.trim());
      holdSubmit(event);
    },
  };
}

/** Chooses the option with this label if there is exactly one. Returns whether one was chosen. */
function chooseNamed(list: string, label: string): boolean {
  const wanted = label.trim().toLowerCase();
  const named = optionsIn(list).filter((option) => option.textContent.toLowerCase() === wanted);
  const [option] = named;
  if (option === undefined || named.length > 1) return false;
  if (option.ariaSelected !== "true") option.click();
  return true;
}

/**
 * If the focus moves to the form's submit button, ignores the button's next click and focuses the input again.
 * Otherwise, the form would be sent without the text that the user typed.
 */
function holdSubmit({ currentTarget: input, relatedTarget: target }: FocusEvent<Input>): void {
  const isSubmit =
    target instanceof HTMLButtonElement && target.type === "submit" && target.form === input.form;
  if (!isSubmit) return;
  const held = new AbortController();
  const { signal } = held;
  const hold = (event: Event) => {
    event.preventDefault();
    event.stopPropagation();
    held.abort();
    input.focus();
  };
  target.addEventListener("click", hold, { signal, capture: true });
  // This click may miss the button, because the error message moves it. The next click is not ignored.
  document.addEventListener("pointerdown", () => held.abort(), { signal, capture: true });
}
