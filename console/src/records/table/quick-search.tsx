/**
 * A search box: searches by part of the name or, for input in the form of an email address or phone number, by address
 * or number.
 */

import { CloseButton, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { useState } from "react";
import { t } from "../../text/index.ts";
import { hasPeople, type RecordType } from "../record/index.ts";

const PAUSE_ms = 250;

export interface QuickSearchProps {
  readonly type: RecordType;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

export function QuickSearch({ type, value, onChange }: QuickSearchProps) {
  const [typed, setTyped] = useState(value);
  const [known, setKnown] = useState(value);
  // The URL was changed elsewhere: by a view or the back button.
  if (known !== value) {
    setKnown(value);
    if (typed.trim() !== value) setTyped(value);
  }
  const search = useDebouncedCallback((text: string) => onChange(text.trim()), PAUSE_ms);
  const label = t.table.search(hasPeople(type) ? t.table.searchPerson : t.table.searchName);
  return (
    <TextInput
      type="search"
      aria-label={label}
      placeholder={label}
      value={typed}
      maxLength={100}
      flex="1 1 220px"
      maw={360}
      leftSection={<IconSearch size={16} aria-hidden />}
      rightSection={
        typed !== "" && (
          <CloseButton
            aria-label={t.table.clearSearch}
            onClick={() => {
              setTyped("");
              onChange("");
            }}
          />
        )
      }
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value);
        search(currentTarget.value);
      }}
    />
  );
}
