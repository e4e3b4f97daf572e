/**
 * The change log, which records who changed what and when. Records' histories and tenants' audit logs are stored in the
 * same table. Each entry is written by the same statement as the change, or in the same transaction.
 */

import type { Database } from "../platform/database/index.ts";
import type { Module } from "../platform/modules/index.ts";
import { CHANGE_SCHEMA } from "./read.ts";
import { auditOperations } from "./routes.ts";

export { changedFields, insertChanges, logChange, type Revocation } from "./log-change.ts";
export {
  ACTOR_SCHEMA,
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

export const auditModule = {
  name: "audit",
  imports: [],
  operations: ({ db }: { readonly db: Database }) => ({ tenants: auditOperations(db) }),
  schemas: () => ({ Change: CHANGE_SCHEMA }),
  personal: {
    changes: {
      yes: "fields",
      user: "actor_kind actor_id actor_name",
      no: "tenant_id id at subject_type subject_id action version request_id seq",
    },
    unlogged_revocations: { no: "id tenant_id kind subject_id at" },
  },
  excludedFromExport: {
    unlogged_revocations: "belong to the erasure log of the installation",
  },
} satisfies Module;
export { createHorizon, type Horizon, type Settled } from "./horizon.ts";
