/** Authentication and authorization: tenants, users, tokens, permissions, address lists. */

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
  forgetAttempts,
  forgetRequestCounts,
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
export { createMeasuring } from "./measure-due.ts";
export { measureTenant } from "./measure-usage.ts";
export {
  grants,
  isPermission,
  type Permission,
  PERMISSION_NAMES,
  PERMISSIONS,
} from "./permissions.ts";
export { createQuotas, type Quotas, setLimits } from "./quotas.ts";
export { accessOperations, accessSchemas } from "./routes.ts";
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
