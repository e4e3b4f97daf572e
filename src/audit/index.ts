/**
 * The change log, which records who changed what and when. Records' histories and tenants' audit logs are stored in the
 * same table. Each entry is written by the same statement as the change, or in the same transaction.
 */

export { changedFields, insertChanges, logChange, type Revocation } from "./log-change.ts";
export {
  ACTOR_SCHEMA,
  CHANGE_SCHEMA,
  CHANGED_FIELD_SCHEMA,
  changesSince,
  readChanges,
  type PastChange,
  REQUEST_ID_SCHEMA,
} from "./read.ts";
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
