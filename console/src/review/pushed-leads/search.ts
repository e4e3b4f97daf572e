/**
 * The review's search parameters, which are in the URL so that going back, reloading and sharing
 * links preserve them.
 */

import { STATUSES, type PushedLead, type Status } from "./pushed-lead.ts";
import { readDay, spanOf } from "../../ui/days/index.ts";

export const ORDERS = ["oldest", "expiring", "newest"] as const;
export type Order = (typeof ORDERS)[number];
export const TABS = [...STATUSES, "all"] as const;
export type Tab = (typeof TABS)[number];

export interface QueueSearch {
  readonly status?: Tab | undefined;
  readonly order?: Order | undefined;
  readonly partner?: string | undefined;
  readonly source?: string | undefined;
  readonly duplicate?: boolean | undefined;
  /** Days in the user's time zone: `2026-11-21`. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

export const tabOf = ({ status }: QueueSearch): Tab => status ?? "pending";
export const orderOf = ({ order }: QueueSearch): Order => order ?? "oldest";

/** Reads the search parameters from a URL. Unknown parameters are ignored. */
export function readQueueSearch(given: Record<string, unknown>): QueueSearch {
  const { status, order, partner, source, duplicate, from, to } = given;
  return {
    status: TABS.find((tab) => tab === status && tab !== "pending"),
    order: ORDERS.find((known) => known === order && known !== "oldest"),
    partner: textOf(partner),
    source: textOf(source),
    duplicate: typeof duplicate === "boolean" ? duplicate : undefined,
    from: readDay(from),
    to: readDay(to),
  };
}

const textOf = (value: unknown): string | undefined =>
  (typeof value === "string" || typeof value === "number") && value !== ""
    ? String(value)
    : undefined;

/** Returns the filters, except for the status, as the service accepts them. */
export const filtersOf = (search: QueueSearch) => ({
  partner_id: search.partner,
  source: search.source,
  possible_duplicate: search.duplicate,
  ...spanOf(search),
});

export const statusOf = (search: QueueSearch): Status | undefined => {
  const tab = tabOf(search);
  return tab === "all" ? undefined : tab;
};

/** Returns the number of filters, except for the status. The two dates count as one filter. */
export const countFilters = ({ partner, source, duplicate, from, to }: QueueSearch): number =>
  [partner, source, duplicate, from ?? to].filter((value) => value !== undefined).length;

/** Whether a lead matches the search parameters. */
export function isLookedFor(search: QueueSearch, lead: PushedLead): boolean {
  const { partner, source, duplicate } = search;
  const { start_date, end_date } = spanOf(search);
  const status = statusOf(search);
  const at_ms = lead.submitted_ts * 1000;
  return (
    (status === undefined || status === lead.status) &&
    (partner === undefined || partner === lead.partner_id) &&
    (source === undefined || source === lead.source) &&
    (duplicate === undefined || duplicate === lead.possible_duplicate) &&
    (start_date === undefined || Date.parse(start_date) <= at_ms) &&
    (end_date === undefined || at_ms <= Date.parse(end_date) + 999)
  );
}
