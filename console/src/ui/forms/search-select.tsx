/** Replacements for Mantine's Select, MultiSelect and Autocomplete. Use them for all dropdowns in which users type. */

import {
  Autocomplete,
  getOptionsLockup,
  getParsedComboboxData,
  MultiSelect,
  Select,
  type AutocompleteProps,
  type MultiSelectProps,
  type SelectProps,
} from "@mantine/core";
import { useSearching, useSuggesting } from "./searching.ts";

interface SearchProps {
  /** Whether the options for the current text are still loading. */
  readonly isStale?: boolean;
}

export interface SearchSelectProps extends SelectProps, SearchProps {}

export function SearchSelect({ isStale, ...props }: SearchSelectProps) {
  const { data, value } = props;
  const shown = getOptionsLockup(getParsedComboboxData(data))[value ?? ""]?.label ?? "";
  const { isSearch: _, ...searching } = useSearching({ shown, isStale, error: props.error });
  return <Select allowDeselect={false} {...searching} {...props} error={searching.error} />;
}

export interface SearchMultiSelectProps extends MultiSelectProps, SearchProps {}

export function SearchMultiSelect({ isStale, ...props }: SearchMultiSelectProps) {
  const { isSearch, ...searching } = useSearching({ shown: "", isStale, error: props.error });
  return (
    // Choosing a selected option would deselect it, so a search must not offer it.
    <MultiSelect hidePickedOptions={isSearch} {...searching} {...props} error={searching.error} />
  );
}

/**
 * A text input with suggestions. The first suggestion is not highlighted. Otherwise, Enter would replace the typed text
 * with it.
 */
export const SuggestInput = (props: AutocompleteProps) => (
  <Autocomplete {...useSuggesting()} {...props} />
);
