/**
 * The deal board, with one column per stage. Deals can be moved with the mouse, by touch, with the
 * keyboard, or from a menu.
 */

import { NativeSelect, Text } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { IconFileImport, IconLayoutKanban, IconPlus } from "@tabler/icons-react";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useMay } from "../api/index.ts";
import { t } from "../text/index.ts";
import { number, words } from "../ui/format/index.ts";
import { Empty, Failure, LinkButton, Loading } from "../ui/states/index.ts";
import { PageHeader } from "../ui/frame/index.ts";
import classes from "./board.module.css";
import { BoardFilters } from "./board-filters.tsx";
import { Columns } from "./columns.tsx";
import { NAMES_MAX, stages, useFilter, useTotals } from "./deals.ts";
import { searchIn, type BoardSearch } from "./search.ts";

const route = getRouteApi("/console/board");

/** Below this width, one column fills the screen. */
const NARROW = "(max-width: 48em)";

const importDeals = (
  <LinkButton
    to="/imports/new"
    search={{ type: "deals" }}
    variant="default"
    leftSection={<IconFileImport size={16} aria-hidden />}
  >
    {t.board.importDeals}
  </LinkButton>
);

const newDeal = (
  <LinkButton
    to="/$type/new"
    params={{ type: "deals" }}
    leftSection={<IconPlus size={16} aria-hidden />}
  >
    {t.board.newDeal}
  </LinkButton>
);

export default function Board() {
  const search = searchIn(route.useSearch());
  const navigate = useNavigate();
  const mayMove = useMay("records:write");
  const isNarrow = useMediaQuery(NARROW, false, { getInitialValueInEffect: false });
  const { filter, isPartial, error: filterError } = useFilter(search);
  const { totals, count, error, retry } = useTotals(filter);
  const { stage: _, ...filters } = search;
  const isFiltered = Object.keys(filters).length > 0;
  const onSearch = (changed: BoardSearch) =>
    void navigate({ to: "/board", search: searchIn({ ...search, ...changed }), replace: true });
  // A narrow screen shows one column: the selected column or, if none is selected, the first column with deals.
  const countOf = (known: string) => totals?.get(known)?.count ?? 0;
  const stage =
    stages().find((known) => known === search.stage) ??
    stages().find((known) => countOf(known) > 0) ??
    stages()[0] ??
    "";
  const isEmpty = count === 0;
  const isWaiting =
    (filter === undefined && filterError === null) ||
    (isNarrow && totals === undefined && error === null);
  return (
    <div className={classes["page"]} data-wide>
      <PageHeader
        title={t.board.title}
        hint={mayMove && !isNarrow && !isEmpty ? t.board.hint : t.board.hintRead}
        actions={mayMove && newDeal}
      />
      {(!isEmpty || isFiltered) && <BoardFilters search={search} onSearch={onSearch} />}
      <Text size="sm" role="status" mb={isPartial ? "md" : 0}>
        {isPartial && t.board.tooManyNames(number(NAMES_MAX))}
      </Text>
      <Failure error={filterError} />
      <Failure error={error} onRetry={retry} />
      {isEmpty && (
        <Empty
          icon={IconLayoutKanban}
          title={isFiltered ? t.board.noneFits : t.board.none}
          hint={isFiltered ? t.board.noneFitsHint : t.board.noneHint}
          action={!isFiltered && mayMove && importDeals}
        />
      )}
      {isWaiting && <Loading />}
      {!isEmpty && !isWaiting && filter !== undefined && (
        <>
          {isNarrow && (
            <NativeSelect
              label={t.board.stage}
              mb="md"
              value={stage}
              onChange={({ currentTarget }) => onSearch({ stage: currentTarget.value })}
              data={stages().map((value) => ({
                value,
                label: totals
                  ? t.board.stageWithCount(words(value), number(countOf(value)))
                  : words(value),
              }))}
            />
          )}
          <Columns
            stages={isNarrow ? [stage] : stages()}
            filter={filter}
            totals={totals}
            mayMove={mayMove}
            isDraggable={!isNarrow}
          />
        </>
      )}
    </div>
  );
}
