/** The one desk of this window: it outlives the page of the review, so that nothing held is lost. */

import { notifications } from "@mantine/notifications";
import { useSyncExternalStore } from "react";
import { queryClient } from "../../routing/index.ts";
import { t } from "../../text/index.ts";
import { createDesk, type DeskState, type Outcome } from "./desk.ts";
import { changeLead, COUNTS_KEY, leadKey, moveCounts } from "../pushed-leads/index.ts";
import { statusAfter } from "./send-decision.ts";

export const desk = createDesk({ statusAfter, onSettled });

let lastOutcome: Outcome | undefined;
const outcomeListeners = new Set<() => void>();

function onSettled(outcome: Outcome): void {
  const { decision, results } = outcome;
  const before = new Map(decision.leads.map((lead) => [lead.id, lead]));
  const moves = results.flatMap(({ id, ok, status }) => {
    const from = before.get(id)?.status;
    return ok && status !== null && from !== undefined && from !== status
      ? [{ from, to: status }]
      : [];
  });
  moveCounts(queryClient, moves);
  for (const { id, ok, status, imported_lead_id, lead } of results) {
    if (lead !== undefined) changeLead(queryClient, lead);
    else if (status !== null) {
      changeLead(queryClient, {
        id,
        status,
        ...(imported_lead_id !== undefined && { imported_lead_id }),
      });
    }
    if (!ok) void queryClient.invalidateQueries({ queryKey: leadKey(id) });
  }
  if (results.some(({ ok }) => !ok)) {
    void queryClient.invalidateQueries({ queryKey: COUNTS_KEY });
  }
  if (decision.leads.length > 1) tellOutcome(outcome);
  else tellExceptions(outcome);
}

/** Of one lead only what went otherwise is told: it was refused, or is still on its way. */
function tellExceptions({ decision, results }: Outcome): void {
  const [lead] = decision.leads;
  const [result] = results;
  if (lead === undefined || result === undefined) return;
  if (result.ok) {
    if (result.status !== statusAfter(decision.choice)) {
      notifications.show({ color: "yellow", title: lead.name, message: t.review.isBeingSent });
    }
    return;
  }
  notifications.show({
    color: "red",
    title: t.review.refused(lead.name),
    message: result.detail ?? "",
    autoClose: 10_000,
  });
}

export function tellOutcome(outcome: Outcome | undefined): void {
  lastOutcome = outcome;
  for (const listener of outcomeListeners) listener();
}

/** What became of the last decision about several leads. */
export const useOutcome = (): Outcome | undefined =>
  useSyncExternalStore(
    (listener) => {
      outcomeListeners.add(listener);
      return () => outcomeListeners.delete(listener);
    },
    () => lastOutcome,
  );

export const useDesk = (): DeskState => useSyncExternalStore(desk.subscribe, desk.state);
