/** Which deliveries are looked at: it stands in the address. */

import type { components } from "@leadport/client";
import { readDay } from "../ui/format/index.ts";

export type Delivery = components["schemas"]["Delivery"];
export type DeliveryInFull = Delivery & {
  readonly attempts: readonly components["schemas"]["DeliveryAttempt"][];
};
export type Attempt = DeliveryInFull["attempts"][number];

export const DELIVERIES = "/crm/admin/deliveries";
export const STATUSES = [
  "pending",
  "delivered",
  "failed",
  "gone",
] as const satisfies readonly Delivery["status"][];
export const TOPICS = ["lead.imported", "event"] as const;

export interface DeliverySearch {
  readonly status?: Delivery["status"] | undefined;
  readonly topic?: (typeof TOPICS)[number] | undefined;
  /** Days in the person's zone, `2026-11-21`. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** The search of an address; what it does not know is left out. */
export function readDeliverySearch(given: Record<string, unknown>): DeliverySearch {
  return {
    status: STATUSES.find((status) => status === given["status"]),
    topic: TOPICS.find((topic) => topic === given["topic"]),
    from: readDay(given["from"]),
    to: readDay(given["to"]),
  };
}
