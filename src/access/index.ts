/** Authentication and authorization: tenants, users, tokens, permissions, address lists. */

import type { BasicServices, Module } from "../platform/modules/index.ts";
import { forgetAttempts, forgetRequestCounts } from "./limits/index.ts";
import { createMeasuring } from "./measure-due.ts";
import { accessOperations, type AccessRoutesDeps, accessSchemas } from "./routes.ts";
import type { DefaultLimits } from "./usage.ts";

export {
  type Caller,
  callerCredential,
  callerIdentity,
  type Person,
  scopeOf,
  type Tenant,
} from "./caller.ts";
export {
  addAnonymousLimit,
  ADDRESS_LIST_SCHEMA,
  addressRange,
  type Attempt,
  attempt,
  type AttemptDeps,
  type AttemptLimit,
  CONCURRENCY_LIMIT_SCHEMA,
  countAttempt,
  createRateLimiter,
  createRefusals,
  RATE_LIMIT_SCHEMA,
  type RateLimiter,
  type Refusal,
  type Refusals,
  type RefusedSubject,
} from "./limits/index.ts";
export {
  createCredentialRegistry,
  type CredentialRegistry,
  type Holder,
  type RegistryDeps,
} from "./credential-registry.ts";
export { measureTenant } from "./measure-usage.ts";
export {
  grants,
  isPermission,
  type Permission,
  PERMISSION_NAMES,
  PERMISSIONS,
} from "./permissions.ts";
export { createQuotas, type Quotas, setLimits } from "./quotas.ts";
export { UPDATE_BODY as TENANT_BODY } from "./tenant-routes.ts";
export { FIRST_HANDLE, isHandle, isTenantId } from "./tenant-handles.ts";
export {
  deleteTenant,
  GRACE_days,
  GRACE_s,
  isSuspended,
  refuseSuspended,
  restoreTenant,
  resumeTenant,
  suspendTenant,
  tenantSuspended,
} from "./tenant-state.ts";
export { sizeText } from "./tenant-quota.ts";
export {
  isTimezone,
  ON_DUPLICATE,
  type OnDuplicate,
  settingFaults,
  TENANT,
  TIMEZONE,
} from "./tenant-settings.ts";
export {
  createDemoTenant,
  createFirstTenant,
  createTenant,
  findDemoTenant,
  findFirstTenant,
  findOrAddPerson,
  findTenant,
  listTenants,
  lockPeople,
  ownerToken,
  readTenant,
} from "./tenants.ts";
export { expiryOf, tokenBodies } from "./token-bodies.ts";
export { createTokenRegistry, unauthenticated } from "./token-registry.ts";
export { createAccessToken, drawSecret, findTokenTenant, hashOf } from "./tokens.ts";
export { limitsOf, type OwnLimits } from "./usage.ts";

interface WorkServices extends BasicServices {
  readonly recordTables: ReadonlySet<string>;
  readonly limits: DefaultLimits;
}

export const accessModule = {
  name: "access",
  imports: ["audit"],
  operations: (services: AccessRoutesDeps) => ({ tenants: accessOperations(services) }),
  works: ({ sql, recordTables, limits }: WorkServices) => ({
    purge_wrong_attempts: async () => (await forgetAttempts(sql)) > 0,
    purge_request_counts: async () => (await forgetRequestCounts(sql)) > 0,
    measure_usage: createMeasuring(sql, recordTables, limits),
  }),
  schemas: () => accessSchemas,
  tags: {
    administration: "The tenant, access tokens, the audit log, demo data and the installation.",
  },
  personal: {
    tenants: {
      user: "name",
      no:
        "id handle default_country timezone currency created_ts updated_ts on_duplicate max_records max_bytes " +
        "is_demo suspended_ts delete_after_ts deletion_started_ts is_suspended import_started_ts imported_ts",
    },
    first_tenant: { no: "is_only tenant_id" },
    tenant_usage: { no: "tenant_id records bytes measured_ms duration_ms due_ms" },
    access_tokens: {
      user: "name ip_allow_list",
      no:
        "tenant_id id token_hash person_id permissions expires_ts created_ts last_used_ts rate_limit " +
        "concurrency_limit",
    },
    wrong_attempts: { user: "address", derived: "target", no: "at" },
    attempts_of_address: { user: "address", derived: "targets", no: "ats last_at" },
    request_counts: { no: "tenant_id credential_id window_s requests" },
    counting_processes: { no: "id seen_at" },
  },
  excludedFromExport: {
    first_tenant: "belongs to the installation",
    tenant_usage: "measured again",
    request_counts: "counts of the last minutes",
  },
} satisfies Module;
