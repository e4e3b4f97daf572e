/**
 * Code that the portal's pages share: the partner, search parameters, and lists of labels and
 * values.
 */

export { DayInput } from "./day-input.tsx";
export { Facts } from "./facts.tsx";
export {
  asPartner,
  businessQuery,
  partnerQuery,
  type Right,
  usePartner,
  useRight,
} from "./partner.ts";
export { PushedStatus } from "./pushed-status.tsx";
export {
  type AnalyticsSearch,
  analyticsSearch,
  type PeopleSearch,
  peopleSearch,
  type PushedSearch,
  pushedSearch,
  type RangeName,
  RANGES,
  signInSearch,
} from "./search.ts";
