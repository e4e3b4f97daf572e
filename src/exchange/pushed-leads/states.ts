/** The states of a pushed lead: the transition table of docs/partner-exchange.md, row by row. Data only. */

export const STATUSES = ["pending", "accepted", "imported", "rejected", "expired"] as const;
export type PushedStatus = (typeof STATUSES)[number];

/** `while` states whether the lead must be before (`live`) or after (`over`) its expiration date. */
export const TRANSITIONS = {
  accept: { from: "pending", to: "accepted", while: "live" },
  reject: { from: "pending", to: "rejected", while: "live" },
  import: { from: "accepted", to: "imported", while: "ever" },
  expire: { from: "pending", to: "expired", while: "over" },
} as const satisfies Record<string, Transition>;

interface Transition {
  readonly from: PushedStatus;
  readonly to: PushedStatus;
  readonly while: "live" | "over" | "ever";
}

export type LeadEvent = keyof typeof TRANSITIONS;

/** The initial state. */
export const FIRST: PushedStatus = "pending";

/** States in which the partner cannot push the same person again. */
export const OPEN = ["pending", "accepted"] as const satisfies readonly PushedStatus[];

/**
 * An event with its data: a rejection always has a reason, and an import has the lead that it
 * created in this CRM.
 */
export type Move =
  | { readonly event: "accept" | "expire" }
  | { readonly event: "reject"; readonly reason: string }
  | { readonly event: "import"; readonly imported_lead_id: string | null };
