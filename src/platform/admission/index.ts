/** Shares the database connections fairly between tenants and credentials (docs/fair-shares.md). */

export { NO_TENANT, WORK_CLASSES } from "./flows.ts";
export { Gate } from "./gate.ts";
export { eachQuery, gatedPool, tracedTransaction } from "./gated-pool.ts";
export {
  asJob,
  becomeBulk,
  currentParty,
  currentSpan,
  inBackground,
  keepingParty,
  onBehalfOf,
  onBehalfOfTenant,
  pastGates,
  RequestParty,
  tracedJob,
} from "./party.ts";
export type { Figures } from "./scheduler.ts";
export { tracedCall } from "./traced-call.ts";
