/** Shares the database connections fairly between tenants and credentials (docs/fair-shares.md). */

export { NO_TENANT, type Party, type Slot, WORK_CLASSES } from "./flows.ts";
export { Gate } from "./gate.ts";
export {
  asJob,
  becomeBulk,
  currentParty,
  currentSpan,
  inBackground,
  inTransactionSpan,
  keepingParty,
  onBehalfOf,
  onBehalfOfTenant,
  partyAtGate,
  pastGates,
  RequestParty,
  tracedJob,
} from "./party.ts";
export type { Figures } from "./scheduler.ts";
export { tracedCall } from "./traced-call.ts";
export { Turns } from "./turns.ts";
