/** A table's toolbar: search, filter, dates, columns and export. */

import { ActionIcon, Button, Group, Tooltip } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconColumns3, IconFilter } from "@tabler/icons-react";
import { lazy, Suspense, useState } from "react";
import { t } from "../../text/index.ts";
import { canSearch } from "../../record/index.ts";
import { CreationDays } from "./creation-days.tsx";
import { MoreMenu } from "./more-menu.tsx";
import { QuickSearch } from "./quick-search.tsx";
import { SortMenu } from "./sort-menu.tsx";
import type { Columns, TableProps } from "../list/index.ts";

/**
 * Loaded separately, so that the table appears sooner. Preloaded when the pointer or focus reaches
 * the button.
 */
const loadFilter = async () => import("../filters/filter-drawer.tsx");
const loadColumns = async () => import("./columns-drawer.tsx");
const FilterDrawer = lazy(async () => ({ default: (await loadFilter()).FilterDrawer }));
const ColumnsDrawer = lazy(async () => ({ default: (await loadColumns()).ColumnsDrawer }));

/** Returns the props that make a button preload what it opens. */
const nearing = (load: () => Promise<unknown>) => ({
  onPointerEnter: () => void load(),
  onFocus: () => void load(),
});

/**
 * Whether a value has ever been true. Once opened, a drawer stays mounted, so that closing it is
 * animated.
 */
function useEver(isSo: boolean): boolean {
  const [was, setWas] = useState(isSo);
  if (isSo && !was) setWas(true);
  return was || isSo;
}

export interface ToolbarProps extends TableProps {
  readonly columns: Columns;
  readonly isNarrow: boolean;
}

export function Toolbar(props: ToolbarProps) {
  const { type, search, onChange, columns, isNarrow } = props;
  const [isFiltering, filter] = useDisclosure();
  const [isChoosing, choice] = useDisclosure();
  const wasFiltering = useEver(isFiltering);
  const wasChoosing = useEver(isChoosing);
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
        {...nearing(loadFilter)}
        onClick={filter.open}
      >
        {t.table.filter}
      </Button>
      <CreationDays from={search.from} to={search.to} onChange={onChange} />
      {isNarrow ? (
        <SortMenu type={type} sort={search.sort} onChange={(sort) => onChange({ sort })} />
      ) : (
        <Tooltip label={t.table.columns}>
          <ActionIcon
            variant="default"
            size={36}
            aria-label={t.table.columns}
            aria-haspopup="dialog"
            {...nearing(loadColumns)}
            onClick={choice.open}
          >
            <IconColumns3 size={18} aria-hidden />
          </ActionIcon>
        </Tooltip>
      )}
      <MoreMenu type={type} search={search} />
      <Suspense fallback={null}>
        {wasFiltering && (
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
        )}
        {wasChoosing && (
          <ColumnsDrawer
            type={type}
            columns={columns}
            opened={isChoosing}
            onClose={choice.close}
            onChange={(cols) => onChange({ cols })}
          />
        )}
      </Suspense>
    </Group>
  );
}
