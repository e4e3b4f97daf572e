/** Finds records of the type that a reference names, by a part of their name. */

import { Loader, MultiSelect } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { readPage } from "../../api/index.ts";
import { t } from "../../text/index.ts";
import {
  listPath,
  type RecordType,
  referenceOf,
  searchFilter,
  type Stored,
  typeLabel,
} from "../record/index.ts";
import { useRecordNames } from "../list/index.ts";

const FOUND_MAX = 20;
const PAUSE_ms = 250;

export interface RecordPickerProps {
  /** The type that has the reference, and its name. */
  readonly of: RecordType;
  readonly name: string;
  readonly label: string;
  readonly value: string[];
  readonly error: string | undefined;
  readonly onChange: (ids: string[]) => void;
}

export function RecordPicker({ of, name, ...input }: RecordPickerProps) {
  const type = referenceOf(of, name) ?? of;
  const [typed, setTyped] = useState("");
  const [text] = useDebouncedValue(typed.trim(), PAUSE_ms);
  const found = useQuery({
    queryKey: ["list", listPath(type), "by name", text],
    queryFn: ({ signal }) =>
      readPage<Stored>(listPath(type), {
        signal,
        query: {
          page_size: FOUND_MAX,
          ...(text !== "" && { match_filter_dict: JSON.stringify(searchFilter(type, text)) }),
        },
      }),
    placeholderData: keepPreviousData,
  });
  const names = useRecordNames(type, input.value);
  const options = new Map(input.value.map((id) => [id, names.get(id) ?? id]));
  for (const record of found.data?.items ?? []) options.set(record._id, record.name);
  return (
    <MultiSelect
      {...input}
      mt="xs"
      placeholder={t.table.builder.pick(typeLabel(type).one)}
      data={[...options].map(([value, label]) => ({ value, label }))}
      filter={({ options: all }) => all}
      searchable
      searchValue={typed}
      onSearchChange={setTyped}
      nothingFoundMessage={found.isFetching ? t.common.loading : t.table.builder.nothing}
      rightSection={found.isFetching && <Loader size="xs" />}
    />
  );
}
