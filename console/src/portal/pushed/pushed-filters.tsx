/** Filters for the submitted leads. */

import { Button, Select } from "@mantine/core";
import { portalTexts } from "../../text/portal.ts";
import { DayInput, type PushedSearch, pushedSearch, usePartner } from "../partner/index.ts";
import { wordOptions } from "../../ui/format/index.ts";
import { FilterGrid } from "../../ui/forms/index.ts";

export interface PushedFiltersProps {
  readonly search: PushedSearch;
  readonly onChange: (search: PushedSearch) => void;
}

const STATUSES = Object.entries(portalTexts.statuses).map(([value, label]) => ({ value, label }));

export function PushedFilters({ search, onChange }: PushedFiltersProps) {
  const { allowed_marketing_sources } = usePartner();
  const texts = portalTexts.pushed;
  const set = (name: keyof PushedSearch) => (value: string | null) =>
    onChange(pushedSearch({ ...search, [name]: value }));
  // Earlier leads may have a source that is no longer assigned to the partner.
  const sources = [
    ...new Set([...allowed_marketing_sources, ...(search.source ? [search.source] : [])]),
  ];
  return (
    <FilterGrid label={texts.filters}>
      <Select
        label={texts.status}
        placeholder={texts.anyStatus}
        data={STATUSES}
        clearable
        value={search.status ?? null}
        onChange={set("status")}
      />
      {sources.length > 0 && (
        <Select
          label={portalTexts.fields.source}
          placeholder={texts.anySource}
          data={wordOptions(sources)}
          clearable
          value={search.source ?? null}
          onChange={set("source")}
        />
      )}
      <DayInput
        label={texts.from}
        value={search.from ?? null}
        onChange={set("from")}
        {...(search.to !== undefined && { maxDate: search.to })}
      />
      <DayInput
        label={texts.to}
        value={search.to ?? null}
        onChange={set("to")}
        {...(search.from !== undefined && { minDate: search.from })}
      />
      {Object.keys(search).length > 0 && (
        <Button variant="subtle" onClick={() => onChange({})}>
          {texts.clear}
        </Button>
      )}
    </FilterGrid>
  );
}
