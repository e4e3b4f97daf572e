/** Pushed leads as the review desk reads them: queue, search, live changes. */

export { Expiry } from "./expiry.tsx";
export { followQueue } from "./live.ts";
export {
  type Action,
  type Alike,
  allows,
  BECOMES,
  type Choice,
  PUSHED_LEADS,
  type PushedLead,
  type PushedLeadInFull,
  pushedLeadPath,
  type Status,
  STATUSES,
} from "./pushed-lead.ts";
export {
  changeLead,
  type Counts,
  COUNTS_KEY,
  leadInLists,
  leadKey,
  moveCounts,
  withMoves,
} from "./queue-cache.ts";
export {
  countFilters,
  filtersOf,
  isLookedFor,
  type Order,
  orderOf,
  ORDERS,
  type QueueSearch,
  readQueueSearch,
  statusOf,
  TABS,
} from "./search.ts";
export { usePartnerNames } from "./use-partner-names.ts";
