/**
 * A search box: searches by part of the name or, for input in the form of an email address or phone number, by address
 * or number.
 */

import { CloseButton, TextInput } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { t } from "../../text/index.ts";
import { useTyped } from "../../ui/forms/index.ts";
import { hasPeople, type RecordType } from "../../record/index.ts";

export interface QuickSearchProps {
  readonly type: RecordType;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

export function QuickSearch({ type, value, onChange }: QuickSearchProps) {
  const { text, type: write, clear } = useTyped(value, onChange);
  const label = t.table.search(hasPeople(type) ? t.table.searchPerson : t.table.searchName);
  return (
    <TextInput
      type="search"
      aria-label={label}
      placeholder={label}
      value={text}
      maxLength={100}
      flex="1 1 220px"
      maw={360}
      leftSection={<IconSearch size={16} aria-hidden />}
      rightSection={
        text !== "" && (
          <CloseButton
            aria-label={t.table.clearSearch}
            onClick={() => {
              clear();
              onChange("");
            }}
          />
        )
      }
      onChange={({ currentTarget }) => write(currentTarget.value)}
    />
  );
}
