/** Selects a record by name, or creates a new one. */

import { Modal } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Suspense, use, useState } from "react";
import { readPage, useMay } from "../../api/index.ts";
import { t } from "../../text/index.ts";
import { Loading } from "../../ui/states/index.ts";
import {
  type Draft,
  filterFields,
  listPath,
  type RecordType,
  type Stored,
  typeLabel,
} from "../../record/index.ts";
import type { InputOrder } from "./field-props.ts";
import { NestedForm } from "./nested-form.ts";
import { recordQuery } from "../../requests/index.ts";
import { containing } from "../../ui/format/index.ts";
import { SearchSelect } from "../../ui/forms/index.ts";

export interface ReferenceInputProps {
  readonly to: RecordType;
  readonly label: string;
  readonly description?: string | undefined;
  readonly required?: boolean;
  readonly error?: string | undefined;
  readonly inputWrapperOrder?: InputOrder;
  readonly value: string | null;
  readonly onChange: (id: string | null) => void;
  /** The record being edited. Only records of the same account or contact are offered. */
  readonly near?: Draft;
  readonly canCreate?: boolean;
}

/** The value of the option that creates a record. */
const NEW = "new";

export function ReferenceInput(props: ReferenceInputProps) {
  const { to, value, onChange, near = {}, canCreate = false, ...input } = props;
  const [search, setSearch] = useState("");
  const [newName, setNewName] = useState<string>();
  const mayCreate = useMay("records:write") && canCreate;
  const CreateForm = use(NestedForm);
  const chosen = useQuery({ ...recordQuery(to, value ?? ""), enabled: value !== null });
  const chosenName = chosen.data?.name ?? value ?? "";
  const typed = search === chosenName ? "" : search.trim();
  const [wanted] = useDebouncedValue(typed, 200);
  const found = useQuery({
    queryKey: ["list", "pick", to.name, wanted, nearFilter(to, near)],
    queryFn: ({ signal }) => findByName(to, wanted, near, signal),
    placeholderData: keepPreviousData,
  });
  const records = found.data ?? [];
  const isFound = (id: string) => id === NEW || records.some(({ _id }) => _id === id);
  const one = typeLabel(to).one;
  const data = [
    ...(value !== null && !records.some(({ _id }) => _id === value)
      ? [{ value, label: chosenName }]
      : []),
    ...records.map(({ _id, name }) => ({ value: _id, label: name })),
    ...(mayCreate ? [{ value: NEW, label: t.record.createNew(one, wanted) }] : []),
  ];
  return (
    <>
      <SearchSelect
        {...input}
        data={data}
        filter={({ options, search: part }) =>
          // Offer the selected record only if it matches the search.
          options.filter((option) => part === "" || !("value" in option) || isFound(option.value))
        }
        value={value}
        onChange={(picked) => (picked === NEW ? setNewName(wanted) : onChange(picked))}
        isStale={found.isPlaceholderData || found.isPending || wanted !== typed}
        searchValue={search}
        onSearchChange={setSearch}
        openOnFocus={false}
        clearable={input.required !== true}
        clearButtonProps={{ "aria-label": t.record.clear(input.label) }}
        placeholder={t.record.searchByName}
        nothingFoundMessage={found.isPending ? t.common.loading : t.common.noOptions}
        comboboxProps={{ withinPortal: true }}
      />
      <Modal
        opened={newName !== undefined}
        onClose={() => setNewName(undefined)}
        title={t.record.newTitle(one)}
        size="lg"
      >
        <Suspense fallback={<Loading />}>
          <CreateForm
            type={to}
            given={{ name: newName || null }}
            onCancel={() => setNewName(undefined)}
            onDone={({ _id }) => {
              setNewName(undefined);
              onChange(_id);
            }}
          />
        </Suspense>
      </Modal>
    </>
  );
}

const PICKED_MAX = 20;

/**
 * The maximum length of a search. A pattern has at most 200 characters, and escaping may double the
 * length.
 */
const PART_MAX = 90;

/** Returns a filter for records with the same account or contact as the record being edited. */
const nearFilter = (to: RecordType, near: Draft): Draft =>
  Object.fromEntries(
    ["account_id", "contact_id"]
      .filter((name) => filterFields(to).includes(name) && typeof near[name] === "string")
      .map((name) => [name, near[name]])
      .slice(0, 1),
  );

async function findByName(
  to: RecordType,
  wanted: string,
  near: Draft,
  signal: AbortSignal,
): Promise<readonly Stored[]> {
  const filter = filterFields(to);
  const isByName = filter.includes("name");
  const part = [...wanted].slice(0, PART_MAX).join("");
  const byName = part === "" ? {} : { name: containing(part) };
  const match_filter_dict = isByName ? byName : nearFilter(to, near);
  const { items } = await readPage<Stored>(listPath(to), {
    query: { match_filter_dict, page_size: isByName ? PICKED_MAX : 100 },
    signal,
  });
  if (isByName) return items;
  const like = wanted.toLowerCase();
  return items.filter(({ name }) => name.toLowerCase().includes(like)).slice(0, PICKED_MAX);
}
