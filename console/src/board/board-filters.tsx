/** The board's filters: account or contact, source, and expected close date. */

import { Button, NativeSelect, TextInput } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { t } from "../text/index.ts";
import { useSources } from "./deals.ts";
import type { BoardSearch } from "./search.ts";
import { wordOptions } from "../ui/format/index.ts";
import { FilterGrid, useTyped } from "../ui/forms/index.ts";

export interface BoardFiltersProps {
  readonly search: BoardSearch;
  readonly onSearch: (changed: BoardSearch) => void;
}

export function BoardFilters({ search, onSearch }: BoardFiltersProps) {
  const sources = useSources();
  const who = useTyped(search.who ?? "", (text) => onSearch({ who: text }));
  const isFiltered = [search.who, search.source, search.before].some(
    (given) => given !== undefined,
  );
  return (
    <FilterGrid label={t.board.filters}>
      <TextInput
        label={t.board.who}
        leftSection={<IconSearch size={16} aria-hidden />}
        value={who.text}
        onChange={({ currentTarget }) => who.type(currentTarget.value)}
      />
      <NativeSelect
        label={t.board.source}
        value={search.source ?? ""}
        onChange={({ currentTarget }) => onSearch({ source: currentTarget.value })}
        data={[
          { value: "", label: t.board.anySource },
          ...wordOptions(
            new Set([...(search.source === undefined ? [] : [search.source]), ...sources]),
          ),
        ]}
      />
      <TextInput
        type="date"
        label={t.board.before}
        value={search.before ?? ""}
        onChange={({ currentTarget }) => onSearch({ before: currentTarget.value })}
      />
      {isFiltered && (
        <Button
          variant="subtle"
          onClick={() => {
            who.clear();
            onSearch({ who: "", source: "", before: "" });
          }}
        >
          {t.board.clear}
        </Button>
      )}
    </FilterGrid>
  );
}
