/** Webhook deliveries and their attempts. */

export { attemptResult } from "./attempt-result.ts";
export { DeliveryTable } from "./delivery-table.tsx";
export {
  allOf,
  eventGroups,
  type EventGroup,
  EVERYTHING,
  filteredType,
  typesIn,
  withEvent,
} from "./event-groups.ts";
export { groupLabel } from "./event-label.ts";
export { deliveryRoutes } from "./routes.ts";
export type { Delivery } from "./search.ts";
