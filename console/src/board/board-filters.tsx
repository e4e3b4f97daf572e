/** The filters of the board: account or contact, source, and expected close. */

import { Button, Group, NativeSelect, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { useState } from "react";
import { t } from "../text/index.ts";
import { useSources } from "./deals.ts";
import type { BoardSearch } from "./search.ts";
import { words } from "../ui/format/index.ts";

export interface BoardFiltersProps {
  readonly search: BoardSearch;
  readonly onSearch: (changed: BoardSearch) => void;
}

const TYPING_ms = 300;

export function BoardFilters({ search, onSearch }: BoardFiltersProps) {
  const sources = useSources();
  const [who, setWho] = useState(search.who ?? "");
  const askFor = useDebouncedCallback((text: string) => onSearch({ who: text.trim() }), TYPING_ms);
  const isFiltered = [search.who, search.source, search.before].some(
    (given) => given !== undefined,
  );
  return (
    <Group
      component="search"
      role="search"
      gap="sm"
      mb="md"
      align="flex-end"
      aria-label={t.board.filters}
    >
      <TextInput
        size="xs"
        label={t.board.who}
        leftSection={<IconSearch size={14} aria-hidden />}
        value={who}
        onChange={({ currentTarget }) => {
          setWho(currentTarget.value);
          askFor(currentTarget.value);
        }}
      />
      <NativeSelect
        size="xs"
        label={t.board.source}
        value={search.source ?? ""}
        onChange={({ currentTarget }) => onSearch({ source: currentTarget.value })}
        data={[
          { value: "", label: t.board.anySource },
          ...[
            ...new Set([...(search.source === undefined ? [] : [search.source]), ...sources]),
          ].map((value) => ({ value, label: words(value) })),
        ]}
      />
      <TextInput
        size="xs"
        type="date"
        label={t.board.before}
        value={search.before ?? ""}
        onChange={({ currentTarget }) => onSearch({ before: currentTarget.value })}
      />
      {isFiltered && (
        <Button
          size="xs"
          variant="subtle"
          onClick={() => {
            setWho("");
            onSearch({ who: "", source: "", before: "" });
          }}
        >
          {t.board.clear}
        </Button>
      )}
    </Group>
  );
}
