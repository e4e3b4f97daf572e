/** The operations on the tenant: its settings, and what says which tenant it is. */

import type { Database } from "../platform/database/index.ts";
import type { JsonObject } from "../platform/json/index.ts";
import type { BodyShape, Operation } from "../platform/operations/index.ts";
import { checker, valueError, type Rule, type Schema } from "../platform/validation/index.ts";
import { ON_DUPLICATE, scopeOf, type Caller } from "./caller.ts";
import { patchTenant, readTenant, settingFaults } from "./tenants.ts";
import type { AccessDeps } from "./tokens.ts";

export interface TenantRoutesDeps extends AccessDeps {
  readonly db: Database;
  /** What is remembered of callers is to be read again: their tenant has changed. */
  readonly forgetCallers: () => void;
}

const TENANT_SCHEMA = {
  title: "TenantUpdateRequest",
  type: "object",
  properties: {
    name: { type: "string", minLength: 1, maxLength: 200 },
    default_country: { type: "string", description: "Where phone numbers are read, such as US." },
    timezone: { type: "string", description: "An IANA name, such as Europe/Paris." },
    currency: { type: "string", description: "An ISO 4217 code, such as USD." },
    on_duplicate: {
      type: "string",
      enum: ON_DUPLICATE,
      description: "What a creation does with somebody who is known, where it does not say it.",
    },
  },
  additionalProperties: false,
  "x-rule": ["tenant", null],
} satisfies Schema;

const TENANT_ANSWER: Schema = { $ref: "Tenant#" };
/** What a tenant returns and a PATCH does not change: a tenant that was read can be sent back. */
const READ_ONLY = ["id", "handle", "created_ts", "updated_ts", "created_date", "updated_date"];

const checkSettings = ((body: JsonObject) =>
  Object.entries(settingFaults(body)).map(([name, wanted]) =>
    valueError(`this must be ${wanted}`, name),
  )) as never as Rule;

const BODY: BodyShape = {
  name: "TenantUpdateRequest",
  schema: TENANT_SCHEMA,
  check: checker({ tenant: checkSettings })({
    ...TENANT_SCHEMA,
    properties: {
      ...TENANT_SCHEMA.properties,
      ...Object.fromEntries(READ_ONLY.map((name) => [name, {}])),
    },
  }),
  isEmpty: (body) => Object.keys(body).length === 0,
};

/** Schemas that openapi.json prints by name. */
export const tenantSchemas: Readonly<Record<string, Schema>> = {
  TenantUpdateRequest: TENANT_SCHEMA,
  Tenant: {
    type: "object",
    properties: {
      id: { type: "string" },
      handle: {
        type: "string",
        description:
          "Addresses the tenant on the command line. Unique in the installation; never changes.",
      },
      name: { type: "string", description: "Not unique: other tenants may have it, too." },
      default_country: { type: "string" },
      timezone: { type: "string" },
      currency: { type: "string" },
      on_duplicate: { type: "string", enum: ON_DUPLICATE },
      created_ts: { type: "integer" },
      updated_ts: { type: "integer" },
      created_date: { type: "string" },
      updated_date: { type: "string" },
    },
    required: ["id", "handle", "name", "default_country", "timezone", "currency", "on_duplicate"],
  },
};

export function tenantOperations(deps: TenantRoutesDeps): readonly Operation<Caller>[] {
  const { db, forgetCallers } = deps;
  const common = { tag: "administration", permission: "admin" } as const;
  return [
    {
      ...common,
      method: "GET",
      url: "/crm/admin/tenant",
      id: "get_tenant",
      summary: "The tenant's settings",
      answer: TENANT_ANSWER,
      run: async ({ caller }) => readTenant(db.sql, caller.tenant.id),
    },
    {
      ...common,
      method: "PATCH",
      url: "/crm/admin/tenant",
      id: "update_tenant",
      summary: "Change the tenant's settings",
      body: BODY,
      answer: TENANT_ANSWER,
      run: async ({ caller, body: sent, write }) => {
        const changed = await write((sql) => patchTenant(scopeOf(sql, caller), deps, sent));
        forgetCallers();
        return changed;
      },
    },
  ];
}
