/** Partner leads as shown to reviewers, and the possible decisions. */

import type { components } from "@leadport/client";

export type PushedLead = components["schemas"]["ReviewedLead"];
export type Status = PushedLead["status"];

/** A possible duplicate: a record or another partner lead. */
export interface PossibleDuplicate {
  readonly record: "lead" | "contact" | "pushed_lead";
  readonly id: string;
  readonly name: string | null;
  readonly email: string | null;
  readonly phone: string | null;
  readonly source: string | null;
  readonly status: string | null;
  readonly partner_id?: string | null;
  readonly created_ts?: number;
  readonly matched_on: readonly ("email" | "phone")[];
}

export type PushedLeadInFull = PushedLead & { readonly resembles?: readonly PossibleDuplicate[] };

export const PUSHED_LEADS = "/crm/admin/pushed_leads";
export const pushedLeadPath = (id: string): string => `${PUSHED_LEADS}/${encodeURIComponent(id)}`;

export const STATUSES = [
  "pending",
  "accepted",
  "imported",
  "rejected",
  "expired",
] as const satisfies readonly Status[];

export type Action = "accept" | "reject" | "import";

/** A reviewer's decision. */
export type Choice =
  | { readonly action: "accept" | "import" }
  | { readonly action: "reject"; readonly reason: string };

/** The status that results from each action. */
export const BECOMES = {
  accept: "accepted",
  reject: "rejected",
  import: "imported",
} as const satisfies Readonly<Record<Action, Status>>;

/** The statuses in which each action is possible. Importing a pending lead accepts it first. */
const FROM: Readonly<Record<Action, readonly Status[]>> = {
  accept: ["pending"],
  reject: ["pending"],
  import: ["pending", "accepted"],
};

export const allows = ({ status }: PushedLead, action: Action): boolean =>
  FROM[action].includes(status);
