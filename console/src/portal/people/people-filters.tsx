/** Filters people by name, status and source. */

import { Button, Select, TextInput } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import type { PartnerLeadResponse } from "@leadport/client";
import { portalTexts } from "../../text/portal.ts";
import { wordOptions } from "../../ui/format/index.ts";
import { FilterGrid, useTyped } from "../../ui/forms/index.ts";
import { type PeopleSearch, peopleSearch, usePartner } from "../partner/index.ts";

/**
 * The maximum length of the name. The service accepts a name of this length even if every character has to be escaped.
 */
const LONGEST = 100;

/** The statuses of leads and contacts. */
const STATUSES = [
  "open",
  "assigned",
  "attempted",
  "contacted",
  "meeting-setup",
  "disqualified",
  "incorrect",
] as const satisfies readonly PartnerLeadResponse["status"][];

export interface PeopleFiltersProps {
  readonly search: PeopleSearch;
  readonly onChange: (search: PeopleSearch) => void;
}

export function PeopleFilters({ search, onChange }: PeopleFiltersProps) {
  const { allowed_marketing_sources: sources } = usePartner();
  const set = (name: "name" | "status" | "source", value: string | null) =>
    onChange(peopleSearch({ ...search, [name]: value }));
  const name = useTyped(search.name ?? "", (typed) => set("name", typed));
  const { kind, ...chosen } = search;
  return (
    <FilterGrid label={portalTexts.pushed.filters}>
      <TextInput
        label={portalTexts.people.search}
        leftSection={<IconSearch size={16} aria-hidden />}
        maxLength={LONGEST}
        value={name.text}
        onChange={({ currentTarget }) => name.type(currentTarget.value)}
      />
      <Select
        label={portalTexts.pushed.status}
        placeholder={portalTexts.people.anyStatus}
        data={wordOptions(STATUSES)}
        clearable
        value={search.status ?? null}
        onChange={(value) => set("status", value)}
      />
      <Select
        label={portalTexts.fields.source}
        placeholder={portalTexts.pushed.anySource}
        data={wordOptions(sources)}
        clearable
        value={search.source ?? null}
        onChange={(value) => set("source", value)}
      />
      {Object.keys(chosen).length > 0 && (
        <Button
          variant="subtle"
          onClick={() => {
            name.clear();
            onChange(kind === undefined ? {} : { kind });
          }}
        >
          {portalTexts.pushed.clear}
        </Button>
      )}
    </FilterGrid>
  );
}
