/** The queue as a virtualized list. More leads are loaded automatically. */

import { Loader, Center } from "@mantine/core";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useRef, type FocusEvent } from "react";
import { t } from "../../text/index.ts";
import { Failure } from "../../ui/states/index.ts";
import type { PushedLead } from "../pushed-leads/index.ts";
import { QueueRow, type RowDeeds } from "./queue-row.tsx";
import classes from "../pushed-leads/review.module.css";
import type { Queue } from "./use-queue.ts";

const ROW_HEIGHT = 82;
/** Load more leads when this many rows or fewer remain below. */
const READ_ON = 20;

export interface QueueListProps extends RowDeeds {
  readonly queue: Queue;
  readonly current: PushedLead | undefined;
  readonly selected: ReadonlySet<string>;
}

export function QueueList({ queue, current, selected, ...deeds }: QueueListProps) {
  const { leads, list } = queue;
  const { hasNextPage, isFetchingNextPage, fetchNextPage, isFetchNextPageError, error } =
    list.query;
  const pane = useRef<HTMLDivElement>(null);
  const hasFocus = useRef(false);
  const rows = useVirtualizer({
    count: leads.length,
    getScrollElement: () => pane.current,
    estimateSize: () => ROW_HEIGHT,
    getItemKey: (at) => leads[at]?.id ?? at,
    overscan: 6,
  });
  const shown = rows.getVirtualItems();
  const at = current === undefined ? -1 : leads.findIndex(({ id }) => id === current.id);

  // Tab moves the focus to the current row or, if that row is not rendered, to the first rendered row.
  const tabStop = shown.some(({ index }) => index === at) ? at : shown[0]?.index;

  useEffect(() => {
    if (at >= 0) rows.scrollToIndex(at, { align: "auto" });
  }, [at, rows]);

  const last = Math.max(shown.at(-1)?.index ?? 0, at);
  const isNearEnd = last >= leads.length - READ_ON;
  useEffect(() => {
    if (isNearEnd && hasNextPage && !isFetchingNextPage && !isFetchNextPageError) {
      void fetchNextPage();
    }
  }, [isNearEnd, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage]);

  // Removing a decided row does not fire a blur event, so `hasFocus` stays true and the next row
  // takes the focus.
  const noteFocus = ({ type, relatedTarget, currentTarget }: FocusEvent<HTMLElement>): void => {
    hasFocus.current =
      type === "focus" || (relatedTarget !== null && currentTarget.contains(relatedTarget));
  };
  return (
    <div ref={pane} className={classes["pane"]}>
      <ul
        className={classes["list"]}
        style={{ height: rows.getTotalSize() }}
        aria-label={t.review.list}
        onFocus={noteFocus}
        onBlur={noteFocus}
      >
        {shown.map(({ index, start }) => {
          const lead = leads[index];
          if (lead === undefined) return null;
          const isCurrent = index === at;
          return (
            <QueueRow
              key={lead.id}
              {...deeds}
              lead={lead}
              start={start}
              height={ROW_HEIGHT}
              place={index + 1}
              count={hasNextPage ? -1 : leads.length}
              isCurrent={isCurrent}
              isTabStop={index === tabStop}
              isSelected={selected.has(lead.id)}
              takesFocus={isCurrent && hasFocus.current}
            />
          );
        })}
      </ul>
      {isFetchingNextPage && (
        <Center p="sm">
          <Loader size="sm" aria-label={t.common.loading} />
        </Center>
      )}
      {isFetchNextPageError && <Failure error={error} onRetry={() => void fetchNextPage()} />}
    </div>
  );
}
