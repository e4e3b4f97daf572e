/**
 * Moves deals to other stages: on the board at once, in the service if nobody else changed the deal.
 * A move that is refused is taken back, with the reason.
 */

import { isPreconditionFailed } from "@leadport/client";
import { notifications } from "@mantine/notifications";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ask, sentenceOf, useSession } from "../api/index.ts";
import { fieldLabel, writePath } from "../records/record/index.ts";
import { t } from "../text/index.ts";
import { money, words } from "../ui/format/index.ts";
import { columnQuery, DEALS, dealType, type Deal, type Filter } from "./deals.ts";

export interface Moves {
  /** Moves a deal; nothing happens where it is there already, or being moved. */
  readonly move: (deal: Deal, stage: string) => Promise<void>;
  /** The deals of a column as they are with the moves that its list does not know of yet. */
  readonly within: (stage: string, listed: readonly Deal[]) => readonly Deal[];
  /** What was done last, to be heard. */
  readonly said: string;
}

interface Moved {
  readonly deal: Deal;
  readonly isSaved: boolean;
}

export function useMoves(filter: Filter): Moves {
  const queries = useQueryClient();
  const { tenant } = useSession();
  const [moved, setMoved] = useState<ReadonlyMap<string, Moved>>(new Map());
  const [said, setSaid] = useState("");
  const put = (id: string, entry: Moved | undefined) =>
    setMoved((known) => {
      const next = new Map(known);
      if (entry === undefined) next.delete(id);
      else next.set(id, entry);
      return next;
    });
  /** Asks again for what a move changed, and waits for it. */
  const refresh = (stages: readonly string[]) =>
    Promise.all([
      ...stages.map((stage) =>
        queries.invalidateQueries({ queryKey: ["list", DEALS, columnQuery(stage, filter)] }),
      ),
      queries.invalidateQueries({ queryKey: ["summary", DEALS] }),
    ]);

  const move = async (deal: Deal, stage: string): Promise<void> => {
    if (deal.stage === stage || moved.get(deal._id)?.isSaved === false) return;
    const id = deal._id;
    put(id, { deal: { ...deal, stage }, isSaved: false });
    try {
      const { data } = await ask<Deal>("patch", writePath(dealType, id), {
        body: { stage },
        ifMatch: deal.version,
      });
      put(id, { deal: data, isSaved: true });
      setSaid(t.board.moved(deal.name, words(stage)));
      if (stage === "closed_won") tellWon(data, tenant.currency);
    } catch (error) {
      put(id, undefined);
      tellBack(deal, error);
    }
    await refresh([deal.stage, stage]);
    // A later move of the same deal has an entry of its own, which stays.
    setMoved((known) => {
      const entry = known.get(id);
      if (entry === undefined || !entry.isSaved || entry.deal.stage !== stage) return known;
      return new Map([...known].filter(([other]) => other !== id));
    });
  };

  return {
    move,
    within: (stage, listed) => [
      ...[...moved.values()].flatMap(({ deal }) => (deal.stage === stage ? [deal] : [])),
      ...listed.filter(({ _id }) => !moved.has(_id)),
    ],
    said,
  };
}

function tellWon({ name, value_of_sale }: Deal, currency: string): void {
  const message =
    value_of_sale === null
      ? t.board.wonWithoutValue(name)
      : t.board.won(name, money(value_of_sale, currency));
  notifications.show({ color: "teal", title: t.board.wonTitle, message });
}

const REASON_ms = 15_000;

function tellBack({ name, stage }: Deal, error: unknown): void {
  notifications.show({
    color: "red",
    title: t.board.backTitle(name, words(stage)),
    message: reasonOf(error),
    autoClose: REASON_ms,
  });
}

function reasonOf(error: unknown): string {
  if (!isPreconditionFailed(error)) return sentenceOf(error);
  const fields = Object.keys(error.changed_fields ?? {});
  if (fields.length === 0) return t.board.conflictUnknown;
  return t.board.conflict(fields.map(fieldLabel).join(", "));
}
