/** Who you are and what you may do: tenants, people, tokens, permissions, address lists. */

export { ADDRESS_LIST_SCHEMA, addressRange, createAddressList } from "./address-list.ts";
export {
  ON_DUPLICATE,
  callerCredential,
  callerIdentity,
  scopeOf,
  type Caller,
  type OnDuplicate,
  type Person,
  type Tenant,
} from "./caller.ts";
export { addAnonymousLimit } from "./anonymous-limit.ts";
export {
  attempt,
  countAttempt,
  forgetAttempts,
  type Attempt,
  type AttemptDeps,
  type AttemptLimit,
} from "./attempts.ts";
export { createMeasuring } from "./measure-due.ts";
export { measureTenant } from "./measure-usage.ts";
export { createQuotas, setLimits, type Quotas } from "./quotas.ts";
export { limitsOf, type OwnLimits } from "./usage.ts";
export { sizeText } from "./tenant-quota.ts";
export { createRefusals, type Refusal, type RefusedSubject, type Refusals } from "./refusals.ts";
export { createRateLimiter, type RateLimiter } from "./rate-limit.ts";
export { CONCURRENCY_LIMIT_SCHEMA, RATE_LIMIT_SCHEMA } from "./limit-schemas.ts";
export { forgetRequestCounts } from "./request-counts.ts";
export { PERMISSIONS, grants, isPermission, type Permission } from "./permissions.ts";
export { accessOperations, accessSchemas } from "./routes.ts";
export { FIRST_HANDLE } from "./tenant-handles.ts";
export {
  createFirstTenant,
  createTenant,
  findFirstTenant,
  findOrAddPerson,
  findTenant,
  isTimezone,
  listTenants,
  ownerToken,
  TIMEZONE,
} from "./tenants.ts";
export { createTokenRegistry, unauthenticated } from "./token-registry.ts";
export { createAccessToken, findTokenTenant, drawSecret, hashOf } from "./tokens.ts";
