/**
 * Moves deals to other stages. The board changes immediately. If another user has changed the deal, the service rejects
 * the move; the board then reverts it and shows the reason. A saved move can be undone for a few seconds.
 */

import { isPreconditionFailed } from "@leadport/client";
import { notifications } from "@mantine/notifications";
import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ask, sentenceOf, useSession } from "../api/index.ts";
import { fieldLabel, writePath } from "../record/index.ts";
import { recordQuery } from "../requests/index.ts";
import { t } from "../text/index.ts";
import { money, words } from "../ui/format/index.ts";
import { type columnQuery, dealsPath, dealType, type Deal } from "./deals.ts";
import { type Control, focusWhenMoved } from "./focus-card.ts";
import { offerUndo, withdrawUndo } from "./undo-notice.tsx";

/** The destination of a move. */
export interface Place {
  readonly stage: string;
  /** Why the deal was lost. Set only for the lost stage. */
  readonly lost_reason?: string | null;
}

export interface Moves {
  /** Moves a deal. Does nothing if the deal is already in that stage or is still being moved. */
  readonly move: (deal: Deal, to: Place, control: Control | undefined) => void;
  /**
   * Returns the deals in a stage, taking into account moves that the loaded list does not reflect
   * yet.
   */
  readonly within: (stage: string, listed: readonly Deal[]) => readonly Deal[];
}

interface Moved {
  readonly deal: Deal;
  readonly isSaved: boolean;
}

/** Callbacks that notify the user that a move was saved or rejected. */
interface Messages {
  readonly saved: (deal: Deal) => void;
  readonly rejected: (error: unknown) => void;
}

export function useMoves(): Moves {
  const queries = useQueryClient();
  const { tenant } = useSession();
  const [moved, setMoved] = useState<ReadonlyMap<string, Moved>>(new Map());
  const put = (id: string, entry: Moved | undefined) =>
    setMoved((known) => {
      const next = new Map(known);
      if (entry === undefined) next.delete(id);
      else next.set(id, entry);
      return next;
    });

  const write = async (deal: Deal, to: Place, messages: Messages): Promise<void> => {
    const id = deal._id;
    put(id, { deal: { ...deal, ...to }, isSaved: false });
    try {
      const message = { body: to, ifMatch: deal.version };
      const { data } = await ask<Deal>("patch", writePath(dealType(), id), message);
      put(id, { deal: data, isSaved: true });
      queries.setQueryData(recordQuery(dealType(), id).queryKey, data);
      messages.saved(data);
    } catch (error) {
      put(id, undefined);
      messages.rejected(error);
    }
    await refresh(queries, [deal.stage, to.stage]);
    // Keep the entry if the same deal has been moved again.
    setMoved((known) => {
      const entry = known.get(id);
      if (entry === undefined || !entry.isSaved || entry.deal.stage !== to.stage) return known;
      return new Map([...known].filter(([other]) => other !== id));
    });
  };

  /** Moves a deal back, unless another user has changed it since. */
  const undo = (deal: Deal, before: Deal, control: Control) => {
    // The pressed button is about to disappear, so it must not keep the focus.
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    focusWhenMoved(deal._id, control);
    const { stage, lost_reason } = before;
    void write(
      deal,
      { stage, ...(lost_reason !== null && { lost_reason }) },
      {
        saved: ({ name }) =>
          notifications.show({ color: "teal", message: t.board.undone(name, words(stage)) }),
        rejected: (error) =>
          showRejected(t.board.notUndone(deal.name), reasonOf(error, t.board.changedSince)),
      },
    );
  };

  const move = (deal: Deal, to: Place, control: Control | undefined) => {
    if (deal.stage === to.stage || moved.get(deal._id)?.isSaved === false) return;
    withdrawUndo(deal._id);
    if (control !== undefined) focusWhenMoved(deal._id, control);
    void write(deal, to, {
      saved: (saved) =>
        offerUndo({
          id: deal._id,
          ...textOf(saved, tenant.currency),
          undo: () => undo(saved, deal, control ?? "menu"),
        }),
      rejected: (error) =>
        showRejected(t.board.notMoved(deal.name), reasonOf(error, t.board.changed)),
    });
  };

  return {
    move,
    within: (stage, listed) => [
      ...[...moved.values()].flatMap(({ deal }) => (deal.stage === stage ? [deal] : [])),
      ...listed.filter(({ _id }) => !moved.has(_id)),
    ],
  };
}

/**
 * Reloads the visible lists that a move affects and waits for them. Other lists reload when they
 * are shown next.
 */
async function refresh(queries: QueryClient, stages: readonly string[]): Promise<void> {
  await Promise.all([
    queries.invalidateQueries({ queryKey: ["list"], refetchType: "none" }),
    queries.invalidateQueries({
      queryKey: ["list", dealsPath()],
      predicate: ({ queryKey: [, , query] }) =>
        stages.includes(
          (query as Partial<ReturnType<typeof columnQuery>>).match_filter_dict?.stage ?? "",
        ),
    }),
    queries.invalidateQueries({ queryKey: ["list", dealsPath(), "summary"] }),
  ]);
}

function textOf({ name, stage, value_of_sale }: Deal, currency: string) {
  if (stage !== "closed_won") return { message: t.board.moved(name, words(stage)) };
  const message =
    value_of_sale === null
      ? t.board.wonWithoutValue(name)
      : t.board.won(name, money(value_of_sale, currency));
  return { title: t.board.wonTitle, message };
}

const REASON_ms = 15_000;

const showRejected = (title: string, message: string): void =>
  void notifications.show({ color: "red", title, message, autoClose: REASON_ms });

function reasonOf(error: unknown, changed: (fields: string) => string): string {
  if (!isPreconditionFailed(error)) return sentenceOf(error);
  return changed(
    Object.keys(error.changed_fields ?? {})
      .map(fieldLabel)
      .join(", "),
  );
}
