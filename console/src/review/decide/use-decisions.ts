/** What the buttons and keys of the review do: with the lead at hand, or with all that are selected. */

import { notifications } from "@mantine/notifications";
import { useState } from "react";
import { t } from "../../text/index.ts";
import { allows, type Action, type Choice, type PushedLead } from "../pushed-leads/index.ts";
import { desk, tellOutcome } from "./review-desk.ts";
import type { Selection } from "./use-selection.ts";

export interface DecisionsOf {
  /** What is decided: the selection, else the lead at hand. */
  readonly chosen: readonly PushedLead[];
  readonly selection: Selection;
  /** Goes on to the lead after these. */
  readonly goPast: (leads: readonly PushedLead[]) => void;
  readonly goTo: (id: string) => void;
}

export interface Decisions {
  readonly decide: (action: Action) => void;
  readonly undo: () => void;
  /** Those whose reason is asked for. */
  readonly rejected: readonly PushedLead[] | undefined;
  readonly rejectFor: (reason: string) => void;
  readonly closeReject: () => void;
}

export function useDecisions({ chosen, selection, goPast, goTo }: DecisionsOf): Decisions {
  const [rejected, setRejected] = useState<readonly PushedLead[]>();
  const hold = (leads: readonly PushedLead[], choice: Choice): void => {
    tellOutcome(undefined);
    goPast(leads);
    desk.hold(leads, choice);
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
      const undone = desk.undo();
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
