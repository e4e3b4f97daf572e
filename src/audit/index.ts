/**
 * The change log: who changed what, and when. One table serves both records' histories and tenants' audit logs. Each
 * entry is written by the same statement, or in the same transaction, as the change.
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
