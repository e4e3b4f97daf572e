/** Operations that read and change the tenant's settings. */

import type { Database } from "../platform/database/index.ts";
import { hasNoMembers, isObject } from "../platform/json/index.ts";
import { bodyShape, operation, type Operation } from "../platform/operations/index.ts";
import { checker, type Rule, type Schema, valueError } from "../platform/validation/index.ts";
import { bodySchema, objectSchema, type Schemas } from "../platform/schemas/index.ts";
import { scopeOf, type Caller } from "./caller.ts";
import {
  SETTING_NAMES,
  settingFaults,
  SETTINGS,
  TENANT,
  patchTenant,
  readTenant,
} from "../tenants/index.ts";
import type { AccessDeps } from "./tokens.ts";

export interface TenantRoutesDeps extends AccessDeps {
  readonly db: Database;
  /** Clears the cached callers after their tenant has changed. */
  readonly forgetCallers: () => void;
}

const UPDATE = {
  ...bodySchema("TenantUpdateRequest", SETTINGS, []),
  "x-rule": ["tenant", null],
} as const satisfies Schema;

/** Read-only members. A PATCH accepts them so that clients can send back a tenant they have read. */
const READ_ONLY: Schemas = Object.fromEntries(
  Object.keys(TENANT).flatMap((name) => (name in SETTINGS ? [] : [[name, {}]])),
);

const checkSettings: Rule = (body) =>
  isObject(body)
    ? Object.entries(settingFaults(body)).map(([name, wanted]) =>
        valueError(`this must be ${wanted}`, name),
      )
    : [];

export const UPDATE_BODY = {
  ...bodyShape(UPDATE, (schema) =>
    checker({ tenant: checkSettings })({ ...schema, properties: { ...SETTINGS, ...READ_ONLY } }),
  ),
  isEmpty: hasNoMembers,
};

/** The named schemas in openapi.json. */
export const tenantSchemas = {
  TenantUpdateRequest: {
    ...UPDATE,
    properties: {
      ...SETTINGS,
      ...Object.fromEntries(Object.keys(READ_ONLY).map((name) => [name, { $ref: "Ignored#" }])),
    },
  },
  Tenant: objectSchema(TENANT, ["id", "handle", ...SETTING_NAMES]),
} satisfies Schemas;

const COMMON = {
  url: "/crm/admin/tenant",
  tag: "administration",
  permission: "admin",
  answer: { $ref: "Tenant#" },
} as const;

export const tenantOperations = (deps: TenantRoutesDeps): readonly Operation<Caller>[] => [
  operation({
    ...COMMON,
    method: "GET",
    id: "get_tenant",
    summary: "Get the tenant",
    description: "Returns the tenant and its settings.",
    run: async ({ caller }) => readTenant(deps.db.sql, caller.tenant.id),
  }),
  operation({
    ...COMMON,
    method: "PATCH",
    id: "update_tenant",
    summary: "Update the tenant",
    description: "Changes the settings that you send.",
    body: UPDATE_BODY,
    run: async ({ caller, body, write }) => {
      const changed = await write((sql) => patchTenant(scopeOf(sql, caller), deps, body));
      deps.forgetCallers();
      return changed;
    },
  }),
];
