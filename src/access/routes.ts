/** The operations of administration: on the tenant, and on tokens (D9.3). */

import type { Scope } from "../audit/index.ts";
import {
  ADDRESS_LIST_SCHEMA,
  addressRange,
  CONCURRENCY_LIMIT_SCHEMA,
  RATE_LIMIT_SCHEMA,
} from "./limits/index.ts";
import { scopeOf, type Caller } from "./caller.ts";
import { PERMISSIONS, type Permission } from "./permissions.ts";
import { tenantOperations, tenantSchemas, type TenantRoutesDeps } from "./tenant-routes.ts";
import { findOrAddPerson } from "./tenants.ts";
import {
  createAccessToken,
  listAccessTokens,
  patchAccessToken,
  revokeAccessToken,
  type AccessDeps,
  type TokenPatch,
} from "./tokens.ts";
import type { TokenRegistry } from "./token-registry.ts";
import { usageOperation, usageSchemas, type UsageRoutesDeps } from "./usage-routes.ts";
import {
  checker,
  futureFaults,
  momentOf,
  type Parameters,
  type Rule,
  type Schema,
  withSecret,
} from "../platform/validation/index.ts";
import { epochSeconds, idIn } from "../platform/clock/index.ts";
import { ValidationError } from "../platform/errors/index.ts";
import type { Json, JsonObject } from "../platform/json/index.ts";
import type { BodyShape, Operation } from "../platform/operations/index.ts";
import { run } from "../platform/database/index.ts";

export interface AccessRoutesDeps extends TenantRoutesDeps, UsageRoutesDeps {
  readonly tokens: TokenRegistry;
}

const TOKEN_SCHEMA: Schema = {
  title: "AccessTokenRequest",
  type: "object",
  properties: {
    name: { type: "string", minLength: 1, maxLength: 200, description: "What it is for." },
    permissions: {
      type: "array",
      minItems: 1,
      maxItems: Object.keys(PERMISSIONS).length,
      items: { type: "string", enum: Object.keys(PERMISSIONS) },
    },
    owner: {
      type: ["string", "null"],
      minLength: 1,
      maxLength: 200,
      description:
        "The name of the person whose records it creates; you, if you leave it out. Only an owner can name " +
        "an owner.",
    },
    expires_at: {
      type: ["number", "string", "null"],
      description: "Epoch seconds or ISO 8601, in the future. It never expires without.",
      "x-rule": ["future", null],
    },
    ip_allow_list: ADDRESS_LIST_SCHEMA,
    rate_limit: RATE_LIMIT_SCHEMA,
    concurrency_limit: CONCURRENCY_LIMIT_SCHEMA,
  },
  required: ["name", "permissions"],
  additionalProperties: false,
};

const TOKEN_UPDATE_SCHEMA: Schema = {
  title: "AccessTokenUpdateRequest",
  type: "object",
  properties: {
    name: { type: "string", minLength: 1, maxLength: 200 },
    rate_limit: RATE_LIMIT_SCHEMA,
    concurrency_limit: CONCURRENCY_LIMIT_SCHEMA,
  },
  additionalProperties: false,
};

const TOKEN_PATH = {
  token_id: { kind: "text", max: 100, description: "The token's id." },
} as const satisfies Parameters;

const TOKEN: Schema = {
  type: "object",
  properties: {
    id: { type: "string" },
    name: { type: "string" },
    userid: { type: "string" },
    user_name: { type: "string" },
    permissions: { type: "array", items: { type: "string" } },
    ip_allow_list: { type: "array", items: { type: "string" } },
    rate_limit: RATE_LIMIT_SCHEMA,
    concurrency_limit: CONCURRENCY_LIMIT_SCHEMA,
    expires_ts: { type: ["integer", "null"] },
    expires_date: { type: ["string", "null"] },
    created_ts: { type: "integer" },
    created_date: { type: "string" },
    last_used_ts: { type: ["integer", "null"] },
    last_used_date: { type: ["string", "null"] },
  },
  required: ["id", "name", "userid", "permissions", "ip_allow_list", "expires_ts"],
};

/** Schemas that openapi.json prints by name. */
export const accessSchemas: Readonly<Record<string, Schema>> = {
  ...tenantSchemas,
  ...usageSchemas,
  AccessTokenRequest: TOKEN_SCHEMA,
  AccessTokenUpdateRequest: TOKEN_UPDATE_SCHEMA,
  AccessToken: TOKEN,
  AccessTokenCreated: withSecret(TOKEN, "token", "What requests send as their credential."),
};

export function accessOperations(deps: AccessRoutesDeps): readonly Operation<Caller>[] {
  const { db, clock, tokens } = deps;
  const rules: Readonly<Record<string, Rule>> = {
    future: (value) => futureFaults(value, epochSeconds(clock)),
    address_range: addressRange,
  };
  const compile = checker(rules);
  const shape = (name: string, schema: Schema): BodyShape => ({
    name,
    schema,
    check: compile(schema),
  });
  const common = { tag: "administration", permission: "admin" } as const;
  return [
    ...tenantOperations(deps),
    usageOperation(deps),
    {
      ...common,
      method: "GET",
      url: "/crm/admin/access_tokens",
      id: "list_access_tokens",
      summary: "The tenant's access tokens, newest first",
      answer: { type: "array", items: { $ref: "AccessToken#" } },
      run: async ({ caller }) => listAccessTokens(db.sql, caller.tenant.id),
    },
    {
      ...common,
      method: "POST",
      url: "/crm/admin/access_tokens",
      id: "create_access_token",
      summary: "Create an access token, which is shown this once",
      body: shape("AccessTokenRequest", TOKEN_SCHEMA),
      answer: { $ref: "AccessTokenCreated#" },
      secretAnswer: true,
      run: async ({ caller, body, write }) =>
        write((sql) => createToken(scopeOf(sql, caller), deps, caller, body)),
    },
    {
      ...common,
      method: "PATCH",
      url: "/crm/admin/access_tokens/:token_id",
      id: "update_access_token",
      summary: "Change a token's name or how many requests it may make",
      path: TOKEN_PATH,
      body: {
        ...shape("AccessTokenUpdateRequest", TOKEN_UPDATE_SCHEMA),
        isEmpty: isEmptyObject,
      },
      answer: { $ref: "AccessToken#" },
      run: async ({ caller, path, body, write }) => {
        const id = idIn(path, "token_id");
        const patch = body as unknown as TokenPatch;
        const told = await write((within) =>
          patchAccessToken(scopeOf(within, caller), deps, id, patch),
        );
        tokens.forget(id);
        return told;
      },
    },
    {
      ...common,
      method: "DELETE",
      url: "/crm/admin/access_tokens/:token_id",
      id: "revoke_access_token",
      summary: "Revoke an access token at once",
      path: TOKEN_PATH,
      answer: {
        type: "object",
        properties: {
          deleted: { type: "boolean" },
          ids: { type: "array", items: { type: "string" } },
        },
      },
      run: async ({ caller, path }) => {
        const id = idIn(path, "token_id");
        await revokeAccessToken(scopeOf(db.sql, caller), deps, tokens, id);
        return { deleted: true, ids: [id] };
      },
    },
  ];
}

const isEmptyObject = (body: JsonObject): boolean => Object.keys(body).length === 0;

/** A token can be given no right that its maker has not (D9.2). */
async function createToken(
  scope: Scope,
  deps: AccessDeps,
  caller: Caller,
  body: JsonObject,
): Promise<JsonObject> {
  const permissions = [...new Set(body["permissions"] as Permission[])];
  refuseMoreThanOwn(caller, permissions);
  const { db, tenantId } = scope;
  const owner = body["owner"] as string | null | undefined;
  if (typeof owner === "string") await refuseOwnersName(scope, caller, owner);
  const person =
    typeof owner === "string" ? await findOrAddPerson(db, deps, tenantId, owner) : caller.person;
  const { id, token } = await createAccessToken(scope, deps, {
    name: body["name"] as string,
    person,
    permissions,
    expires_ts: expiryOf(body["expires_at"] ?? null),
    ip_allow_list: (body["ip_allow_list"] ?? []) as string[],
    rate_limit: (body["rate_limit"] ?? null) as number | null,
    concurrency_limit: (body["concurrency_limit"] ?? null) as number | null,
  });
  const [told] = await listAccessTokens(db, tenantId, id);
  return { ...told, token };
}

const expiryOf = (value: Json): number | null => {
  const moment = momentOf(value);
  return moment === undefined ? null : Math.floor(moment);
};

/** `admin` includes all but `ssn:read`, so only who holds that can hand it on. */
function refuseMoreThanOwn(caller: Caller, permissions: readonly Permission[]): void {
  if (!permissions.includes("ssn:read") || caller.permissions.includes("ssn:read")) return;
  const at = permissions.indexOf("ssn:read");
  throw new ValidationError([
    {
      type: "value_error",
      loc: ["body", "permissions", at],
      msg: "Value error, only a token that holds ssn:read can hand it on",
      input: "ssn:read",
      ctx: { error: {} },
    },
  ]);
}

/**
 * Only owners create tokens under an owner's name: what such a token does is recorded as the owner's. An
 * owner is a person with that role, or one whose token holds the permissions of an owner.
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
  throw new ValidationError([
    {
      type: "value_error",
      loc: ["body", "owner"],
      msg: "Value error, only an owner can create a token for an owner. Leave it out to create one for yourself",
      input: name,
      ctx: { error: {} },
    },
  ]);
}
