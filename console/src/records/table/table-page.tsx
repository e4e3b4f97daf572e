/** A table page with views, search, filter, and actions for records. */

import { Group, Text } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { IconPlus } from "@tabler/icons-react";
import { useEffect, useMemo } from "react";
import { t } from "../../text/index.ts";
import { number } from "../../ui/format/index.ts";
import { PageHeader } from "../../ui/frame/index.ts";
import { typeLabel } from "../../record/index.ts";
import { BulkBar } from "./bulk-bar.tsx";
import { CARD_HEIGHT, Cards, Grid, ROW_HEIGHT, rowsMax } from "../grid/index.ts";
import { FilterSummary } from "../filters/index.ts";
import css from "../grid/grid.module.css";
import { queryOf, type TableProps, useColumns, useSelection, useTotal } from "../list/index.ts";
import { NothingFound } from "./nothing-found.tsx";
import { SelectAll } from "./select-all.tsx";
import { Toolbar } from "./toolbar.tsx";
import { ViewTabs } from "../views/index.ts";
import { LinkButton } from "../../ui/states/index.ts";

export function TablePage(props: TableProps) {
  const { type, search, onChange, canWrite } = props;
  const isNarrow = useMediaQuery("(max-width: 48em)", undefined, {
    getInitialValueInEffect: false,
  });
  const query = useMemo(() => queryOf(type, search), [type, search]);
  const selection = useSelection();
  const { q, filter, from, to } = search;
  // Records selected in one list must not be changed from another list in which they are not
  // visible.
  useEffect(selection.clear, [q, filter, from, to, selection.clear]);
  const columns = useColumns(type, search, onChange);
  const total = useTotal(type, query);
  const label = typeLabel(type);
  const isEmpty = total.data === 0 && !total.isPlaceholderData;
  const selectAll = canWrite ? (
    <SelectAll type={type} query={query} total={total.data} selection={selection} />
  ) : undefined;
  const shared = { type, query, columns, selection, canWrite, selectAll };
  return (
    <div className={css["page"]} data-wide>
      <PageHeader
        title={label.many}
        actions={
          canWrite && (
            <LinkButton
              to="/$type/new"
              params={{ type: type.plural }}
              leftSection={<IconPlus size={16} aria-hidden />}
            >
              {t.table.create(label.one)}
            </LinkButton>
          )
        }
      />
      <ViewTabs {...props} />
      {selection.selected.size > 0 ? (
        <BulkBar type={type} selection={selection} />
      ) : (
        <Toolbar {...props} columns={columns} isNarrow={isNarrow} />
      )}
      <FilterSummary {...props} />
      {isEmpty ? (
        <NothingFound {...props} />
      ) : isNarrow ? (
        <Cards {...shared} />
      ) : (
        <Grid {...shared} />
      )}
      <Found
        total={total.data}
        isOld={total.isPlaceholderData}
        what={total.data === 1 ? label.one : label.many}
        most={rowsMax(isNarrow ? CARD_HEIGHT : ROW_HEIGHT)}
      />
    </div>
  );
}

interface FoundProps {
  readonly total: number | undefined;
  readonly isOld: boolean;
  readonly what: string;
  /** The maximum number of rows that the page can show. */
  readonly most: number;
}

const Found = ({ total, isOld, what, most }: FoundProps) => (
  <Group gap="md" mt="xs" mih={22}>
    <Text size="sm" c="dimmed" role="status">
      {total === undefined || isOld
        ? t.table.counting
        : t.table.count(number(total), what.toLowerCase())}
    </Text>
    {total !== undefined && total > most && (
      <Text size="sm" c="dimmed">
        {t.table.capped(number(most))}
      </Text>
    )}
  </Group>
);
