/** Administration operations for the tenant and its tokens. */

import type { Scope } from "../audit/index.ts";
import { scopeOf, type Caller } from "./caller.ts";
import type { Permission } from "./permissions.ts";
import { tenantOperations, tenantSchemas, type TenantRoutesDeps } from "./tenant-routes.ts";
import { findOrAddPerson } from "../tenants/index.ts";
import { expiryOf, tokenBodies, type TokenRequest, tokenSchemas } from "./token-bodies.ts";
import {
  createAccessToken,
  findAccessToken,
  listAccessTokens,
  patchAccessToken,
  revokeAccessToken,
  type AccessDeps,
} from "./tokens.ts";
import type { TokenRegistry } from "./token-registry.ts";
import { usageOperation, usageSchemas, type UsageRoutesDeps } from "./usage-routes.ts";
import { valueError } from "../platform/validation/index.ts";
import type { Schemas } from "../platform/schemas/index.ts";
import { idIn } from "../platform/ids/index.ts";
import { type Issue, ValidationError } from "../platform/errors/index.ts";
import type { JsonObject } from "../platform/json/index.ts";
import {
  deletionOf,
  deletionSchema,
  operation,
  type Operation,
} from "../platform/operations/index.ts";
import { run } from "../platform/database/index.ts";

export interface AccessRoutesDeps extends TenantRoutesDeps, UsageRoutesDeps {
  readonly tokens: TokenRegistry;
}

/** The named schemas in openapi.json. */
export const accessSchemas: Schemas = { ...tenantSchemas, ...usageSchemas, ...tokenSchemas };

const COMMON = {
  url: "/crm/admin/access_tokens",
  tag: "administration",
  permission: "admin",
} as const;
const ONE = {
  ...COMMON,
  url: `${COMMON.url}/:token_id`,
  path: {
    token_id: { kind: "text", max: 100, description: "The id of the token." },
  },
} as const;

export function accessOperations(deps: AccessRoutesDeps): readonly Operation<Caller>[] {
  const { db, clock, tokens } = deps;
  const { request, update } = tokenBodies(clock);
  return [
    ...tenantOperations(deps),
    usageOperation(deps),
    operation({
      ...COMMON,
      method: "GET",
      id: "list_access_tokens",
      summary: "List access tokens",
      description:
        "Lists the access tokens of the tenant, newest first. The tokens themselves are never returned.",
      answer: { type: "array", items: { $ref: "AccessToken#" } },
      run: async ({ caller }) => listAccessTokens(db.sql, caller.tenant.id),
    }),
    operation({
      ...COMMON,
      method: "POST",
      id: "create_access_token",
      summary: "Create an access token",
      description: "Returns the token. It is not shown again.",
      body: request,
      answer: { $ref: "AccessTokenCreated#" },
      secretResponse: true,
      run: async ({ caller, body, write }) =>
        write((sql) => createToken(scopeOf(sql, caller), deps, caller, body)),
    }),
    operation({
      ...ONE,
      method: "PATCH",
      id: "update_access_token",
      summary: "Update an access token",
      description: "Changes the name or the limits of a token.",
      body: update,
      answer: { $ref: "AccessToken#" },
      run: async ({ caller, path, body, write }) => {
        const id = idIn(path, "token_id");
        const changed = await write((sql) =>
          patchAccessToken(scopeOf(sql, caller), deps, id, body),
        );
        tokens.forget();
        return changed;
      },
    }),
    operation({
      ...ONE,
      method: "DELETE",
      id: "revoke_access_token",
      summary: "Revoke an access token",
      description: "The token stops working immediately.",
      answer: deletionSchema("token", "revoked"),
      run: async ({ caller, path }) => {
        const id = idIn(path, "token_id");
        await revokeAccessToken(scopeOf(db.sql, caller), deps, tokens, id);
        return deletionOf(id);
      },
    }),
  ];
}

/** Creates a token. A token cannot have permissions that its creator lacks. */
async function createToken(
  scope: Scope,
  deps: AccessDeps,
  caller: Caller,
  { owner, expires_at, ...given }: TokenRequest,
): Promise<JsonObject> {
  const permissions = [...new Set(given.permissions)];
  refuseExtraPermissions(caller, permissions);
  const { db, tenantId } = scope;
  const isForOther = typeof owner === "string";
  if (isForOther) await refuseOwnersName(scope, caller, owner);
  const person = isForOther ? await findOrAddPerson(db, deps, tenantId, owner) : caller.person;
  const { id, token } = await createAccessToken(scope, deps, {
    ...given,
    person,
    permissions,
    expires_ts: expiryOf(expires_at ?? null),
    ip_allow_list: given.ip_allow_list ?? [],
  });
  return { ...(await findAccessToken(db, tenantId, id)), token };
}

/** `admin` includes all permissions except `ssn:read`, so only callers that have `ssn:read` can grant it. */
function refuseExtraPermissions(caller: Caller, permissions: readonly Permission[]): void {
  if (!permissions.includes("ssn:read") || caller.permissions.includes("ssn:read")) return;
  throw refusal(
    ["permissions", permissions.indexOf("ssn:read")],
    "ssn:read",
    "only callers with the ssn:read permission can grant it",
  );
}

const refusal = (within: Issue["loc"], input: string, sentence: string): ValidationError =>
  new ValidationError([{ ...valueError(sentence), loc: ["body", ...within], input }]);

/**
 * Only owners can create tokens for an owner, because actions with such a token are recorded under the owner's name. A
 * caller counts as an owner if it is a user with the owner role, or uses a token with all of the owner's permissions.
 */
async function refuseOwnersName(
  { db, tenantId }: Scope,
  { permissions, person }: Caller,
  name: string,
): Promise<void> {
  if (permissions.includes("admin") && permissions.includes("ssn:read")) return;
  const owners = await run(db)`
    select from people p
     where p.tenant_id = ${tenantId} and p.id <> ${person.id}
       and lower(btrim(p.name)) = lower(btrim(${name}))
       and (p.role = 'owner'
            or exists (select from access_tokens t
                        where t.tenant_id = p.tenant_id and t.person_id = p.id
                          and t.permissions @> array['admin', 'ssn:read']))
     limit 1`;
  if (owners.count === 0) return;
  throw refusal(
    ["owner"],
    name,
    "only an owner can create a token for an owner; leave this field out to create a token for yourself",
  );
}
