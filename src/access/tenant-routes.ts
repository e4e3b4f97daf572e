/** The operations on the tenant: its settings, and what says which tenant it is. */

import type { Database } from "../platform/database/index.ts";
import { hasNoMembers, isObject } from "../platform/json/index.ts";
import { bodyShape, operation, type Operation } from "../platform/operations/index.ts";
import {
  bodySchema,
  checker,
  objectSchema,
  type Rule,
  type Schema,
  type Schemas,
  valueError,
} from "../platform/validation/index.ts";
import { scopeOf, type Caller } from "./caller.ts";
import { SETTING_NAMES, settingFaults, SETTINGS, TENANT } from "./tenant-settings.ts";
import { patchTenant, readTenant } from "./tenants.ts";
import type { AccessDeps } from "./tokens.ts";

export interface TenantRoutesDeps extends AccessDeps {
  readonly db: Database;
  /** What is remembered of callers is to be read again: their tenant has changed. */
  readonly forgetCallers: () => void;
}

const UPDATE = {
  ...bodySchema("TenantUpdateRequest", SETTINGS, []),
  "x-rule": ["tenant", null],
} as const satisfies Schema;

/** What a tenant returns and a PATCH does not change: a tenant that was read can be sent back. */
const READ_ONLY: Schemas = Object.fromEntries(
  Object.keys(TENANT).flatMap((name) => (name in SETTINGS ? [] : [[name, {}]])),
);

const checkSettings: Rule = (body) =>
  isObject(body)
    ? Object.entries(settingFaults(body)).map(([name, wanted]) =>
        valueError(`this must be ${wanted}`, name),
      )
    : [];

const UPDATE_BODY = {
  ...bodyShape(UPDATE, (schema) =>
    checker({ tenant: checkSettings })({ ...schema, properties: { ...SETTINGS, ...READ_ONLY } }),
  ),
  isEmpty: hasNoMembers,
};

/** Schemas that openapi.json prints by name. */
export const tenantSchemas = {
  TenantUpdateRequest: UPDATE,
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
    summary: "The tenant's settings",
    run: async ({ caller }) => readTenant(deps.db.sql, caller.tenant.id),
  }),
  operation({
    ...COMMON,
    method: "PATCH",
    id: "update_tenant",
    summary: "Change the tenant's settings",
    body: UPDATE_BODY,
    run: async ({ caller, body, write }) => {
      const changed = await write((sql) => patchTenant(scopeOf(sql, caller), deps, body));
      deps.forgetCallers();
      return changed;
    },
  }),
];
