/** Decisions on leads: buttons, reasons, sending and undoing. */

export { DecideButtons, SelectionBar } from "./decide-buttons.tsx";
export { DecisionStrip, subjectOf } from "./decision-strip.tsx";
export type { OutboxState } from "./outbox.ts";
export { RejectDialog } from "./reject-dialog.tsx";
export { useOutbox } from "./decision-outbox.ts";
export { statusAfter } from "./send-decision.ts";
export { useDecisions } from "./use-decisions.ts";
export { useLeaving } from "./use-leaving.ts";
export { useKeysWanted } from "./use-reasons.ts";
export { useSelection } from "./use-selection.ts";
