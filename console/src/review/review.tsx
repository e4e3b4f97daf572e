/** The review page: the queue on the left, the current lead on the right. Narrow screens show only one of the two. */

import { Button, VisuallyHidden } from "@mantine/core";
import { useDisclosure, useMediaQuery } from "@mantine/hooks";
import { IconArrowDown } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback, useEffect, useMemo } from "react";
import { t } from "../text/index.ts";
import { PageHeader } from "../ui/frame/index.ts";
import { Empty } from "../ui/states/index.ts";
import {
  DecideButtons,
  DecisionStrip,
  RejectDialog,
  SelectionBar,
  subjectOf,
  useDecisions,
  useOutbox,
  useKeysWanted,
  useLeaving,
  useSelection,
} from "./decide/index.ts";
import { KeysDialog } from "./keys-dialog.tsx";
import { LeadDetail, leadQuery } from "./lead/index.ts";
import { leadInLists, type PushedLead, type QueueSearch } from "./pushed-leads/index.ts";
import {
  QueueFilters,
  QueueList,
  QueueOrState,
  useArrivals,
  useCounts,
  useQueue,
} from "./queue/index.ts";
import classes from "./pushed-leads/review.module.css";
import { useCurrent } from "./use-current.ts";
import { useKeys } from "./use-keys.ts";

export default function Review() {
  const search = useSearch({ from: "/console/review" });
  const navigate = useNavigate();
  const queries = useQueryClient();
  const isWide = useMediaQuery("(min-width: 62em)", true, { getInitialValueInEffect: false });
  const state = useOutbox();
  const queue = useQueue(search, state);
  const counts = useCounts(search, state);
  const arrivals = useArrivals(search, queue.list);
  const { value: hasKeys } = useKeysWanted();
  const [areKeysOpen, keysDialog] = useDisclosure();
  useLeaving();

  const { leads, list } = queue;
  const ids = useMemo(() => leads.map(({ id }) => id), [leads]);
  const selection = useSelection(ids);
  const place = useCurrent();
  const currentId = place.id ?? (isWide ? ids[0] : undefined);
  const at = currentId === undefined ? -1 : ids.indexOf(currentId);
  const current = at >= 0 ? leads[at] : undefined;
  // The current lead may be missing from the list, for example after it was opened with a link or has been decided.
  const opened = useQuery({ ...leadQuery(currentId ?? ""), enabled: currentId !== undefined });
  const listed = current ?? (currentId === undefined ? undefined : leadInLists(queries, currentId));
  const known = listed ?? opened.data;
  const chosen =
    selection.ids.size > 0
      ? leads.filter(({ id }) => selection.ids.has(id))
      : known === undefined
        ? []
        : [known];

  const nextId = ids[at + 1];
  useEffect(() => {
    if (nextId !== undefined) void queries.prefetchQuery(leadQuery(nextId));
  }, [nextId, queries]);

  const step = (by: number): void => {
    const to = ids[Math.min(Math.max(at + by, 0), ids.length - 1)];
    if (to !== undefined) place.set(to);
  };
  const goPast = (gone: readonly PushedLead[]): void => {
    const left = new Set(gone.map(({ id }) => id));
    if (currentId === undefined || !left.has(currentId)) return;
    const after = ids.find((id, index) => index > at && !left.has(id));
    const before = ids.findLast((id, index) => index < at && !left.has(id));
    place.set(after ?? before);
  };
  const { decide, undo, rejected, rejectFor, closeReject } = useDecisions({
    chosen,
    selection,
    goPast,
    goTo: place.set,
  });

  useKeys(
    {
      j: () => step(1),
      ArrowDown: () => step(1),
      k: () => step(-1),
      ArrowUp: () => step(-1),
      a: () => decide("accept"),
      r: () => decide("reject"),
      i: () => decide("import"),
      u: undo,
      x: () => current && selection.toggle(current.id),
      " ": () => current && selection.toggle(current.id),
      "Shift+x": () => current && selection.extendTo(current.id),
      "Ctrl+a": selection.all,
      Escape: selection.clear,
      n: arrivals.show,
      "?": keysDialog.open,
    },
    hasKeys,
  );

  const change = (next: QueueSearch): void =>
    void navigate({ to: ".", search: () => next, replace: true, resetScroll: false });
  const { set: setPlace, open: openPlace } = place;
  const open = useCallback(
    (id: string) => (isWide ? setPlace(id) : openPlace(id)),
    [isWide, setPlace, openPlace],
  );
  const selected = (
    <SelectionBar
      leads={chosen}
      decide={decide}
      hasKeys={hasKeys && isWide}
      clear={selection.clear}
    />
  );
  const isListShown = isWide || currentId === undefined;
  // With an empty list, there is nothing to choose.
  const isEmpty = list.query.isSuccess && leads.length === 0 && !list.query.hasNextPage;
  const isDetailShown = currentId !== undefined || (isWide && !isEmpty);

  return (
    <div className={classes["page"]} data-wide>
      <PageHeader title={t.shell.review} hint={isWide ? t.review.hint : undefined} />
      {isListShown && (
        <QueueFilters search={search} counts={counts} leads={list.items} change={change} />
      )}
      <DecisionStrip
        state={state}
        undo={undo}
        hasKeys={hasKeys && isWide}
        showKeys={isWide ? keysDialog.open : undefined}
      />
      {isListShown && !isWide && selection.ids.size > 0 && selected}
      <div role="status">
        {arrivals.count > 0 && isListShown && (
          <Button
            variant="light"
            fullWidth
            mb="sm"
            leftSection={<IconArrowDown size={16} aria-hidden />}
            onClick={arrivals.show}
          >
            {t.review.arrived(arrivals.count)}
            <VisuallyHidden> {t.review.showArrived}</VisuallyHidden>
          </Button>
        )}
      </div>
      <div className={classes["panes"]}>
        {isListShown && (
          <QueueOrState search={search} queue={queue} outbox={state}>
            <QueueList
              queue={queue}
              current={current}
              selected={selection.ids}
              open={open}
              toggle={selection.toggle}
              extendTo={selection.extendTo}
            />
          </QueueOrState>
        )}
        {isDetailShown && (
          <section
            className={`${classes["pane"]} ${classes["detail"]}`}
            aria-label={t.review.detail}
            // This area scrolls, so it must be focusable.
            tabIndex={0}
          >
            {currentId === undefined ? (
              <Empty title={t.review.chooseTitle} hint={t.review.chooseHint} />
            ) : (
              <LeadDetail
                key={isWide ? "beside" : currentId}
                id={currentId}
                listed={known}
                onBack={isWide ? undefined : () => place.open(undefined)}
                actions={(lead) =>
                  selection.ids.size > 0 ? (
                    selected
                  ) : (
                    <DecideButtons leads={[lead]} decide={decide} hasKeys={hasKeys && isWide} />
                  )
                }
              />
            )}
          </section>
        )}
      </div>
      <RejectDialog
        what={rejected && subjectOf({ leads: rejected })}
        onClose={closeReject}
        onReason={rejectFor}
      />
      <KeysDialog isOpen={areKeysOpen} onClose={keysDialog.close} />
    </div>
  );
}
