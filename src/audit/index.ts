/**
 * The change log: who changed what, and when. One table serves the history of records and the audit log of tenants.
 * Entries are written by the statement, or in the transaction, of the change itself.
 */

export { changedFields, logChange, type Revocation } from "./log-change.ts";
export { ACTOR_SCHEMA, CHANGE_SCHEMA, changesSince, readChanges, type PastChange } from "./read.ts";
export { growing, ROW_bytes, withoutLimit } from "./quota.ts";
export {
  type Actor,
  type ChangedFields,
  type Growth,
  isInTx,
  type Quota,
  type Room,
  type Scope,
  SERVICE,
  type TenantId,
} from "./scope.ts";
export { auditOperations } from "./routes.ts";
