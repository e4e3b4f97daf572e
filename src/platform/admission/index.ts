/** Fair shares of the database's connections: docs/fair-shares.md. */

export { NO_TENANT, WORK_CLASSES } from "./flows.ts";
export { Gate } from "./gate.ts";
export { gatedPool } from "./gated-pool.ts";
export {
  becomeBulk,
  currentParty,
  inBackground,
  keepingParty,
  onBehalfOf,
  pastGates,
  RequestParty,
} from "./party.ts";
export type { Figures } from "./scheduler.ts";
