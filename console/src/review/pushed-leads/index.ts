/** Data for the review: queue, search parameters, live changes. */

export { Expiry } from "./expiry.tsx";
export { followQueue } from "./live.ts";
export {
  type Action,
  type PossibleDuplicate,
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
  reloadLists,
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
