/** A menu for the sort order, for lists without column headers. */

import { NativeSelect } from "@mantine/core";
import { t } from "../../text/index.ts";
import type { RecordType } from "../../record/index.ts";
import { orderOf, sortText } from "../list/index.ts";
import { columnsOf } from "../fields/index.ts";

export interface SortMenuProps {
  readonly type: RecordType;
  readonly sort: string | undefined;
  readonly onChange: (sort: string | undefined) => void;
}

export function SortMenu({ type, sort, onChange }: SortMenuProps) {
  const data = [...columnsOf(type).values()]
    .filter(({ canSort }) => canSort)
    .map(({ name, label }) => ({
      group: label,
      items: [
        { value: name, label: `${label} ↑` },
        { value: `-${name}`, label: `${label} ↓` },
      ],
    }));
  return (
    <NativeSelect
      aria-label={t.table.sortBy}
      data={data}
      value={sortText(orderOf(type, sort).slice(0, 1)) ?? ""}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      flex="1 1 140px"
    />
  );
}
