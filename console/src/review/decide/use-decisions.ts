/**
 * The actions for buttons and keyboard shortcuts. They apply to the current lead or to all selected
 * leads.
 */

import { notifications } from "@mantine/notifications";
import { useState } from "react";
import { t } from "../../text/index.ts";
import { allows, type Action, type Choice, type PushedLead } from "../pushed-leads/index.ts";
import { outbox, setOutcome } from "./decision-outbox.ts";
import type { Selection } from "./use-selection.ts";

export interface DecisionsOf {
  /** The leads to decide: the selection, or the current lead. */
  readonly chosen: readonly PushedLead[];
  readonly selection: Selection;
  /**
   * If the current lead is one of these, moves to the next lead that is not among them or, if there is none, to the
   * previous lead.
   */
  readonly goPast: (leads: readonly PushedLead[]) => void;
  readonly goTo: (id: string) => void;
}

export interface Decisions {
  readonly decide: (action: Action) => void;
  readonly undo: () => void;
  /** The leads for which the reject dialog is open. */
  readonly rejected: readonly PushedLead[] | undefined;
  readonly rejectFor: (reason: string) => void;
  readonly closeReject: () => void;
}

export function useDecisions({ chosen, selection, goPast, goTo }: DecisionsOf): Decisions {
  const [rejected, setRejected] = useState<readonly PushedLead[]>();
  const hold = (leads: readonly PushedLead[], choice: Choice): void => {
    setOutcome(undefined);
    goPast(leads);
    outbox.hold(leads, choice);
    selection.clear();
  };
  const decide = (action: Action): void => {
    if (chosen.length === 0) return;
    if (!chosen.some((lead) => allows(lead, action))) {
      notifications.show({ color: "yellow", message: t.review.cannot[action] });
    } else if (action === "reject") setRejected(chosen);
    else hold(chosen, { action });
  };
  return {
    decide,
    undo: () => {
      const undone = outbox.undo();
      const id = undone?.leads[0]?.id;
      if (id !== undefined) goTo(id);
    },
    rejected,
    rejectFor: (reason) => {
      setRejected(undefined);
      hold(rejected ?? [], { action: "reject", reason });
    },
    closeReject: () => setRejected(undefined),
  };
}
