/** A status as colored text. */

import { Badge } from "@mantine/core";
import { lookupTable } from "../../text/index.ts";
import { words } from "../format/index.ts";

/** The colors of statuses, which are the same on all pages. All other statuses are gray. */
const COLORS: Readonly<Record<string, string | undefined>> = lookupTable({
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
});

/** Returns Mantine's name for the color of a status. */
export const statusColor = (value: string): string => COLORS[value] ?? "gray";

export interface StatusBadgeProps {
  readonly value: string;
  /** Set this if the label differs from the value's default label. */
  readonly label?: string;
}

export const StatusBadge = ({ value, label = words(value) }: StatusBadgeProps) => (
  <Badge variant="dot" color={`${statusColor(value)}.6`} tt="none" fw={500} miw="max-content">
    {label}
  </Badge>
);
