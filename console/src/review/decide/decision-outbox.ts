/** This window's only outbox. It outlives the review page, so that no held decision is lost. */

import { notifications } from "@mantine/notifications";
import { useSyncExternalStore } from "react";
import { holdWork, queryClient } from "../../routing/index.ts";
import { t } from "../../text/index.ts";
import { createOutbox, type OutboxState, type Outcome } from "./outbox.ts";
import {
  changeLead,
  COUNTS_KEY,
  leadKey,
  moveCounts,
  PUSHED_LEADS,
  reloadLists,
} from "../pushed-leads/index.ts";
import { statusAfter } from "./send-decision.ts";

export const outbox = createOutbox({ statusAfter, onSettled });

let lastOutcome: Outcome | undefined;
const outcomeListeners = new Set<() => void>();

holdWork({
  send: outbox.flush,
  drop: () => {
    outbox.drop();
    setOutcome(undefined);
  },
});

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
  reloadLists(queryClient, new Set(moves.map(({ to }) => to)));
  // A decision also changes records, counts and charts.
  void queryClient.invalidateQueries({
    queryKey: ["list"],
    predicate: ({ queryKey: [, of] }) => of !== PUSHED_LEADS,
  });
  if (results.some(({ ok }) => !ok)) {
    void queryClient.invalidateQueries({ queryKey: COUNTS_KEY });
  }
  const isShown =
    decision.leads.length > 1 || importedIn(outcome) !== undefined || isAccepted(outcome);
  if (isShown) setOutcome(outcome);
  else showExceptions(outcome);
}

/** Returns the ID of the new CRM lead if the decision imported a single partner lead into the CRM. */
export function importedIn({ decision, results }: Outcome): string | undefined {
  const [result] = results;
  if (decision.leads.length > 1 || result?.status !== "imported") return undefined;
  return result.imported_lead_id ?? undefined;
}

/** Whether the decision accepted a single partner lead, which can be imported next. */
const isAccepted = ({ decision, results }: Outcome): boolean =>
  decision.leads.length === 1 &&
  results[0]?.ok === true &&
  results[0].status === "accepted" &&
  decision.choice.action === "accept";

/**
 * Notifies the user of an exceptional result for a single lead: the decision was rejected, or the
 * import is still pending.
 */
function showExceptions({ decision, results }: Outcome): void {
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

export function setOutcome(outcome: Outcome | undefined): void {
  lastOutcome = outcome;
  for (const listener of outcomeListeners) listener();
}

/** The latest outcome of a bulk decision, an import or an acceptance. */
export const useOutcome = (): Outcome | undefined =>
  useSyncExternalStore(
    (listener) => {
      outcomeListeners.add(listener);
      return () => outcomeListeners.delete(listener);
    },
    () => lastOutcome,
  );

export const useOutbox = (): OutboxState => useSyncExternalStore(outbox.subscribe, outbox.state);
