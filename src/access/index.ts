/** Authentication and authorization: callers, their credentials and permissions, and access tokens. */

import type { Module } from "../platform/modules/index.ts";
import { accessOperations, type AccessRoutesDeps, accessSchemas } from "./routes.ts";

export { type Caller, callerCredential, callerIdentity, scopeOf } from "./caller.ts";
export {
  createCredentialRegistry,
  type CredentialRegistry,
  type Holder,
  type RegistryDeps,
} from "./credential-registry.ts";
export {
  grants,
  isPermission,
  type Permission,
  PERMISSION_NAMES,
  PERMISSIONS,
} from "./permissions.ts";
export { createTenant, ownerToken } from "./create-tenant.ts";
export { UPDATE_BODY as TENANT_BODY } from "./tenant-routes.ts";
export { expiryOf, tokenBodies } from "./token-bodies.ts";
export { createTokenRegistry, unauthenticated } from "./token-registry.ts";
export { createAccessToken, drawSecret, findTokenTenant, hashOf } from "./tokens.ts";

export const accessModule = {
  name: "access",
  imports: ["audit", "tenants", "limits", "quotas"],
  operations: (services: AccessRoutesDeps) => ({ tenants: accessOperations(services) }),
  schemas: () => accessSchemas,
  tags: {
    administration: "The tenant, access tokens, the audit log, demo data and the installation.",
  },
  personal: {
    access_tokens: {
      user: "name ip_allow_list",
      no:
        "tenant_id id token_hash person_id permissions expires_ts created_ts last_used_ts rate_limit " +
        "concurrency_limit",
    },
  },
} satisfies Module;
