/** The delivery list's filters as search parameters. */

import type { components } from "@leadport/client";
import { readDay, spanOf } from "../ui/days/index.ts";

export type Delivery = components["schemas"]["Delivery"];
export type DeliveryInFull = Delivery & {
  readonly attempts: readonly components["schemas"]["DeliveryAttempt"][];
};
export type Attempt = DeliveryInFull["attempts"][number];

export const DELIVERIES = "/crm/admin/deliveries";
/** The value that stands for the import webhook in filters. */
export const IMPORT_WEBHOOK = "import_webhook";
export const STATUSES = [
  "pending",
  "delivered",
  "failed",
  "gone",
] as const satisfies readonly Delivery["status"][];

export interface DeliverySearch {
  readonly status?: Delivery["status"] | undefined;
  readonly event?: string | undefined;
  readonly webhook_id?: string | undefined;
  readonly record_id?: string | undefined;
  /** Days in the user's time zone: `2026-11-21`. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

const ID = /^[0-9a-f]{24}$/;

const readId = (given: unknown): string | undefined =>
  typeof given === "string" && ID.test(given) ? given : undefined;

/** An event such as `lead.created`. The service checks whether it exists. */
const EVENT = /^[a-z_]+\.[a-z_]+$/;

const readEvent = (given: unknown): string | undefined =>
  typeof given === "string" && EVENT.test(given) ? given : undefined;

/** Reads the search parameters from a URL. Unknown values are ignored. */
export function readDeliverySearch(given: Record<string, unknown>): DeliverySearch {
  const { webhook_id } = given;
  return {
    status: STATUSES.find((status) => status === given["status"]),
    event: readEvent(given["event"]),
    webhook_id: webhook_id === IMPORT_WEBHOOK ? webhook_id : readId(webhook_id),
    record_id: readId(given["record_id"]),
    from: readDay(given["from"]),
    to: readDay(given["to"]),
  };
}

/** Returns the API query for these search parameters. */
export function queryOf({ from, to, ...search }: DeliverySearch) {
  return { ...search, ...spanOf({ from, to }) };
}
