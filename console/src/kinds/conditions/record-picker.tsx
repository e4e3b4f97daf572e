/** Selects records that a field can refer to. Users can search by part of the name. */

import { Loader } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQueries } from "@tanstack/react-query";
import { useState } from "react";
import { readPage } from "../../api/index.ts";
import { t } from "../../text/index.ts";
import { SearchMultiSelect } from "../../ui/forms/index.ts";
import {
  canSearch,
  listPath,
  type RecordType,
  searchFilter,
  type Stored,
  typeLabel,
  typesNamedBy,
} from "../../record/index.ts";
import { useRecordNames } from "../../names/index.ts";

const FOUND_MAX = 20;
const PAUSE_ms = 250;

export interface RecordPickerProps {
  /** The record type that the reference field belongs to. */
  readonly of: RecordType;
  readonly name: string;
  readonly label: string;
  readonly value: string[];
  readonly error: string | undefined;
  readonly onChange: (ids: string[]) => void;
}

export function RecordPicker({ of, name, ...input }: RecordPickerProps) {
  const named = typesNamedBy(of, name);
  const types = named.filter(canSearch);
  const [typed, setTyped] = useState("");
  const [text] = useDebouncedValue(typed.trim(), PAUSE_ms);
  const found = useQueries({
    queries: types.map((type) => ({
      queryKey: ["list", listPath(type), "by name", text],
      queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
        readPage<Stored>(listPath(type), {
          signal,
          query: {
            fields: "name",
            page_size: FOUND_MAX,
            ...(text !== "" && { match_filter_dict: JSON.stringify(searchFilter(type, text)) }),
          },
        }),
      placeholderData: keepPreviousData,
    })),
  });
  const isFetching = found.some((query) => query.isFetching);
  const nameOf = useRecordNames(named, input.value);
  const groups = types.map((type, at) => ({
    group: typeLabel(type).many,
    items: (found[at]?.data?.items ?? [])
      .filter(({ _id }) => !input.value.includes(_id))
      .map((record) => ({ value: record._id, label: record.name })),
  }));
  const chosen = input.value.map((id) => ({ value: id, label: nameOf(id) }));
  const [only] = groups;
  return (
    <SearchMultiSelect
      {...input}
      mt="xs"
      placeholder={t.table.builder.pick}
      data={
        types.length === 1 && only !== undefined
          ? [...chosen, ...only.items]
          : [{ group: t.table.builder.chosen, items: chosen }, ...groups]
      }
      filter={({ options: all }) => all}
      isStale={text !== typed.trim() || found.some(({ isPlaceholderData }) => isPlaceholderData)}
      searchValue={typed}
      onSearchChange={setTyped}
      nothingFoundMessage={isFetching ? t.common.loading : t.common.noOptions}
      rightSection={isFetching && <Loader size="xs" />}
    />
  );
}
