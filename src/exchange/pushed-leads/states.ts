/** The states of a pushed lead and the transitions listed in docs/partner-exchange.md. Contains only data. */

export const STATUSES = ["pending", "accepted", "imported", "rejected", "expired"] as const;
export type PushedStatus = (typeof STATUSES)[number];

/** In `while`, `live` means before the expiration date, `over` means after it, and `ever` means at any time. */
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

/** In these states, the partner cannot push the same person again. */
export const OPEN = ["pending", "accepted"] as const satisfies readonly PushedStatus[];

/** A transition and its data. A rejection has a reason. An import has the lead that it created in this CRM, if any. */
export type Move =
  | { readonly event: "accept" | "expire" }
  | { readonly event: "reject"; readonly reason: string }
  | { readonly event: "import"; readonly imported_lead_id: string | null };
