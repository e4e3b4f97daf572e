/** A state in a colour and, always, in words. */

import { Badge } from "@mantine/core";
import { words } from "../format/index.ts";

/** Colours by what a state means, wherever it appears; others are grey. */
const COLOURS: Readonly<Record<string, string>> = {
  accepted: "teal",
  active: "teal",
  approved: "teal",
  closed_won: "teal",
  completed: "teal",
  converted: "teal",
  created: "teal",
  customer: "teal",
  delivered: "teal",
  fulfilled: "teal",
  imported: "teal",
  paid: "teal",
  ready: "teal",
  succeeded: "teal",
  cancelled: "red",
  closed_lost: "red",
  database_unavailable: "red",
  deleted: "red",
  disqualified: "red",
  failed: "red",
  lost: "red",
  rejected: "red",
  suspended: "red",
  incorrect: "orange",
  interrupted: "orange",
  expired: "orange",
  invited: "yellow",
  pending: "yellow",
  merged: "violet",
  open: "blue",
  pushed: "blue",
  restored: "cyan",
  updated: "blue",
  assigned: "indigo",
  attempted: "violet",
  contacted: "grape",
  "meeting-setup": "cyan",
};

/** The colour of a state, as Mantine names it. */
export const statusColour = (value: string): string => COLOURS[value] ?? "gray";

export interface StatusBadgeProps {
  readonly value: string;
  /** Where the word is another than the value's own. */
  readonly label?: string;
}

export const StatusBadge = ({ value, label = words(value) }: StatusBadgeProps) => (
  <Badge variant="dot" color={`${statusColour(value)}.6`} tt="none" fw={500} miw="max-content">
    {label}
  </Badge>
);
