/** The deals in one stage and their totals. Scrolling to the end loads more. */

import { useDroppable } from "@dnd-kit/core";
import { ActionIcon, Group, Loader, Skeleton, Text, Title, VisuallyHidden } from "@mantine/core";
import { useIntersection } from "@mantine/hooks";
import { IconPlus } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useEffect } from "react";
import { useList, useSession } from "../api/index.ts";
import { t } from "../text/index.ts";
import { worth } from "./worth.ts";
import { Failure } from "../ui/states/index.ts";
import { money, words } from "../ui/format/index.ts";
import classes from "./board.module.css";
import { Card } from "./card.tsx";
import { columnQuery, dealsPath, isClosed, type Deal, type Filter, type Totals } from "./deals.ts";
import type { Control } from "./focus-card.ts";

export interface ColumnProps {
  readonly stage: string;
  readonly filter: Filter;
  /** The totals. Undefined while loading; null if loading failed. */
  readonly totals: Totals | null | undefined;
  /**
   * Returns the deals in a stage, taking into account moves that the loaded list does not reflect
   * yet.
   */
  readonly within: (stage: string, listed: readonly Deal[]) => readonly Deal[];
  /** Moves a deal. Undefined if the user cannot move deals. */
  readonly onMove: ((deal: Deal, stage: string, control: Control) => void) | undefined;
  readonly isDraggable: boolean;
}

export function Column({ stage, filter, totals, within, onMove, isDraggable }: ColumnProps) {
  const { setNodeRef, isOver } = useDroppable({ id: stage });
  const { items, query } = useList<Deal>(dealsPath(), { query: columnQuery(stage, filter) });
  const deals = within(stage, items);
  const readOn = () => void query.fetchNextPage();
  const end = useReadOn(query.hasNextPage && !query.isFetching && !query.isError, readOn);
  return (
    <section
      ref={setNodeRef}
      className={classes["column"]}
      data-over={isOver || undefined}
      aria-label={words(stage)}
      aria-busy={query.isPending}
    >
      <Head stage={stage} totals={totals} mayCreate={onMove !== undefined} />
      <ul className={classes["cards"]} tabIndex={0} aria-label={t.board.dealsIn(words(stage))}>
        {query.isError && !query.isFetchNextPageError && (
          <li>
            <Failure error={query.error} onRetry={() => void query.refetch()} />
          </li>
        )}
        {query.isPending && [0, 1, 2].map((at) => <Skeleton key={at} component="li" h={86} />)}
        {deals.map((deal) => (
          <Card
            key={deal._id}
            deal={deal}
            isDraggable={isDraggable}
            onMove={onMove && ((to, control) => onMove(deal, to, control))}
          />
        ))}
        {query.isSuccess && deals.length === 0 && (
          <li>
            <Text size="sm" c="dimmed" ta="center" py="md">
              {t.board.emptyColumn}
            </Text>
          </li>
        )}
        {query.isFetchNextPageError ? (
          <li>
            <Failure error={query.error} onRetry={readOn} />
          </li>
        ) : (
          query.hasNextPage && (
            <li ref={end}>
              <Group justify="center" py="xs">
                <Loader size="sm" aria-hidden />
                <VisuallyHidden>{t.board.loadingMore}</VisuallyHidden>
              </Group>
            </li>
          )
        )}
      </ul>
    </section>
  );
}

/** Loads more deals whenever the end of the list comes into view. */
function useReadOn(mayRead: boolean, read: () => void) {
  const { ref, entry } = useIntersection({ rootMargin: "400px" });
  const isInSight = entry?.isIntersecting === true;
  useEffect(() => {
    if (mayRead && isInSight) read();
  });
  return ref;
}

interface HeadProps {
  readonly stage: string;
  readonly totals: Totals | null | undefined;
  readonly mayCreate: boolean;
}

function Head({ stage, totals, mayCreate }: HeadProps) {
  return (
    <div className={classes["head"]}>
      <Group justify="space-between" wrap="nowrap" gap="xs">
        <Title order={2} fz="sm">
          {words(stage)}
        </Title>
        {mayCreate && (
          <ActionIcon
            component={Link}
            to={`/deals/new?with=${encodeURIComponent(JSON.stringify({ stage }))}`}
            size={24}
            variant="subtle"
            aria-label={t.board.newDealIn(words(stage))}
          >
            <IconPlus size={16} aria-hidden />
          </ActionIcon>
        )}
      </Group>
      <div className={classes["totals"]}>
        {totals === undefined ? (
          <Skeleton h={36} />
        ) : (
          totals !== null && <Amounts stage={stage} totals={totals} />
        )}
      </div>
    </div>
  );
}

function Amounts({ stage, totals }: { readonly stage: string; readonly totals: Totals }) {
  const { tenant } = useSession();
  return (
    <>
      <Text size="xs" className={classes["name"]}>
        {worth(totals, tenant.currency)}
      </Text>
      {/* Closed deals have no probability. */}
      {!isClosed(stage) && (
        <Text size="xs" c="dimmed" className={classes["name"]} title={t.board.weightedHint}>
          {t.board.weighted(money(totals.weighted, tenant.currency))}
        </Text>
      )}
    </>
  );
}
