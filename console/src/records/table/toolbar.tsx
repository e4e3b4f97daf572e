/** Above the table: search, filter, days, columns, and what can be taken along. */

import { ActionIcon, Button, Group, Tooltip } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconColumns3, IconFilter } from "@tabler/icons-react";
import { lazy, Suspense } from "react";
import { t } from "../../text/index.ts";
import { DateRange } from "./date-range.tsx";
import { canSearch } from "./list-query.ts";
import { MoreMenu } from "./more-menu.tsx";
import { QuickSearch } from "./quick-search.tsx";
import { SortMenu } from "./sort-menu.tsx";
import type { TableProps } from "./table-page.tsx";
import type { Columns } from "./use-columns.ts";

/** These come after the rows: a table is seen before it is filtered. */
const FilterDrawer = lazy(async () => ({
  default: (await import("./filter-drawer.tsx")).FilterDrawer,
}));
const ColumnsDrawer = lazy(async () => ({
  default: (await import("./columns-drawer.tsx")).ColumnsDrawer,
}));

export interface ToolbarProps extends TableProps {
  readonly columns: Columns;
  readonly isNarrow: boolean;
}

export function Toolbar(props: ToolbarProps) {
  const { type, search, onChange, columns, isNarrow } = props;
  const [isFiltering, filter] = useDisclosure();
  const [isChoosing, choice] = useDisclosure();
  return (
    <Group gap="xs" mb="xs" wrap="wrap">
      {canSearch(type) && (
        <QuickSearch
          type={type}
          value={search.q ?? ""}
          onChange={(q) => onChange({ q: q === "" ? undefined : q })}
        />
      )}
      <Button
        variant={search.filter === undefined ? "default" : "light"}
        leftSection={<IconFilter size={16} aria-hidden />}
        aria-haspopup="dialog"
        onClick={filter.open}
      >
        {t.table.filter}
      </Button>
      <DateRange from={search.from} to={search.to} onChange={onChange} />
      {isNarrow ? (
        <SortMenu type={type} sort={search.sort} onChange={(sort) => onChange({ sort })} />
      ) : (
        <Tooltip label={t.table.columns}>
          <ActionIcon
            variant="default"
            size={36}
            aria-label={t.table.columns}
            aria-haspopup="dialog"
            onClick={choice.open}
          >
            <IconColumns3 size={18} aria-hidden />
          </ActionIcon>
        </Tooltip>
      )}
      <MoreMenu type={type} search={search} />
      <Suspense fallback={null}>
        <FilterDrawer
          type={type}
          filter={search.filter}
          opened={isFiltering}
          onClose={filter.close}
          onApply={(next) => {
            onChange({ filter: next });
            filter.close();
          }}
        />
        <ColumnsDrawer
          type={type}
          columns={columns}
          opened={isChoosing}
          onClose={choice.close}
          onChange={(cols) => onChange({ cols })}
        />
      </Suspense>
    </Group>
  );
}
