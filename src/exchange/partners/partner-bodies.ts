/** Partners, and their request and response bodies. */

import {
  ADDRESS_LIST_SCHEMA,
  addressRange,
  CONCURRENCY_LIMIT_SCHEMA,
  RATE_LIMIT_SCHEMA,
} from "../../access/index.ts";
import type { Clock } from "../../platform/clock/index.ts";
import { givenIn, type Json, type JsonObject, namesOf, pick } from "../../platform/json/index.ts";
import { bodyShape } from "../../platform/operations/index.ts";
import {
  bodySchema,
  checker,
  type Members,
  nullable,
  objectSchema,
  type Schemas,
  type Typed,
  withSecret,
} from "../../platform/validation/index.ts";
import { LEAD_SOURCES, recordRules } from "../../records/index.ts";

/** A partner's permissions. Pushing is not among them, because it depends only on `can_push`. */
export const PARTNER_PERMISSIONS = {
  lookup: "Check whether a person exists.",
  lookup_name: "See the name of a person who exists.",
  read_leads: "List the tenant's leads of the allowed sources.",
  read_contacts: "List the tenant's contacts of the allowed sources.",
  analytics: "See counts and earnings.",
} as const;

export type PartnerPermission = keyof typeof PARTNER_PERMISSIONS;
export const PARTNER_STATUSES = ["active", "suspended"] as const;

/** The settings that the tenant chooses and the partner may see. */
const OWN_SETTINGS = {
  name: { type: "string" },
  status: { type: "string", enum: PARTNER_STATUSES },
  auto_accept: { type: "boolean" },
  can_push: { type: "boolean" },
  allowed_marketing_sources: { type: "array", items: { type: "string", enum: LEAD_SOURCES } },
  permissions: { type: "array", items: { type: "string", enum: namesOf(PARTNER_PERMISSIONS) } },
  commission_rate: {
    type: "number",
    description: "The commission rate, as a percentage of each won deal.",
  },
} as const satisfies Schemas;

/** A partner's limits on requests. Null restores the installation's limit. */
const LIMITS = {
  rate_limit: RATE_LIMIT_SCHEMA,
  concurrency_limit: CONCURRENCY_LIMIT_SCHEMA,
} as const satisfies Schemas;

/** All settings that the tenant chooses. */
const SETTINGS = {
  ...OWN_SETTINGS,
  ip_allow_list: { type: "array", items: { type: "string" } },
  ...LIMITS,
} as const satisfies Schemas;

const WRITTEN = {
  created_ts: { type: "integer" },
  updated_ts: { type: "integer" },
} as const satisfies Schemas;

export type PartnerSettings = Members<typeof SETTINGS>;

export interface Partner extends PartnerSettings, Members<typeof WRITTEN> {
  readonly id: string;
  /** Incremented with each new access code and each suspension. Tokens from earlier generations are invalid. */
  readonly generation: number;
}

export const SETTING_NAMES = namesOf(SETTINGS);
export const LIMIT_NAMES = namesOf(LIMITS);
export const OWN_SETTING_NAMES = namesOf(OWN_SETTINGS);

export const PARTNER_DEFAULTS: Omit<PartnerSettings, "name"> = {
  status: "active",
  auto_accept: false,
  can_push: true,
  allowed_marketing_sources: [],
  permissions: namesOf(PARTNER_PERMISSIONS),
  commission_rate: 0,
  ip_allow_list: [],
  rate_limit: null,
  concurrency_limit: null,
};

/** Settings in a request body. Null means "not given". */
const SENT = {
  name: { ...SETTINGS.name, minLength: 1, maxLength: 200 },
  status: nullable(SETTINGS.status),
  auto_accept: {
    ...nullable(SETTINGS.auto_accept),
    description:
      "Whether pushed leads without possible duplicates are accepted automatically. They are not imported.",
  },
  can_push: nullable(SETTINGS.can_push),
  allowed_marketing_sources: {
    ...nullable(SETTINGS.allowed_marketing_sources),
    maxItems: LEAD_SOURCES.length,
    uniqueItems: true,
    description:
      "The sources of the leads that the partner can push (the first is the default) and of " +
      "the leads and contacts that it can read.",
  },
  permissions: {
    ...nullable(SETTINGS.permissions),
    maxItems: PARTNER_DEFAULTS.permissions.length,
    uniqueItems: true,
    description: "The partner's permissions. Default: all.",
  },
  commission_rate: {
    ...nullable(SETTINGS.commission_rate),
    minimum: 0,
    maximum: 100,
    description: "The commission rate, as a percentage of each won deal, with at most 6 decimals.",
    "x-rule": ["money", null],
  },
  ip_allow_list: ADDRESS_LIST_SCHEMA,
  ...LIMITS,
} as const satisfies Record<keyof PartnerSettings, Schemas[string]>;

const PARTNER_SCHEMA = bodySchema("PartnerRequest", SENT, ["name"]);
const PARTNER_UPDATE_SCHEMA = bodySchema("PartnerUpdateRequest", SENT, []);
export type SentPartner = Typed<typeof PARTNER_SCHEMA>;
export type SentPartnerUpdate = Typed<typeof PARTNER_UPDATE_SCHEMA>;

const TOKEN_SCHEMA = bodySchema("PartnerTokenRequest", {
  partner_id: { type: "string", minLength: 1, maxLength: 100 },
  access_code: { type: "string", minLength: 1, maxLength: 200 },
});
export type Credentials = Typed<typeof TOKEN_SCHEMA>;

const BUSINESS_SCHEMA = bodySchema("PortalBusinessRequest", {
  tenant_id: { type: "string", minLength: 1, maxLength: 100 },
});

const NOTHING_SCHEMA = bodySchema("DecisionRequest", {});

/** Whether a member is missing, null or only spaces. */
export const isBlank = (value: Json | undefined): boolean =>
  value === undefined || value === null || (typeof value === "string" && value.trim() === "");

export const partnerShapes = (clock: Clock) => {
  const compile = checker({ ...recordRules(clock), address_range: addressRange });
  return {
    partner: bodyShape(PARTNER_SCHEMA, compile),
    partnerUpdate: {
      ...bodyShape(PARTNER_UPDATE_SCHEMA, compile),
      isEmpty: (body: JsonObject) =>
        namesOf({ ...givenIn(body), ...pick(body, LIMIT_NAMES) }).length === 0,
    },
    token: bodyShape(TOKEN_SCHEMA, compile),
    business: bodyShape(BUSINESS_SCHEMA, compile),
    nothing: bodyShape(NOTHING_SCHEMA, compile),
  };
};

export type PartnerShapes = ReturnType<typeof partnerShapes>;

const OWN = { partner_id: { type: "string" }, ...OWN_SETTINGS } as const;
const ISO = { type: "string", format: "date-time" } as const;

const PARTNER = objectSchema({
  id: { type: "string" },
  partner_id: { type: "string" },
  ...SETTINGS,
  ...WRITTEN,
  created_date: ISO,
  updated_date: ISO,
});

/** The named schemas in openapi.json. */
export const PARTNER_SCHEMAS: Schemas = {
  PartnerRequest: PARTNER_SCHEMA,
  PartnerUpdateRequest: PARTNER_UPDATE_SCHEMA,
  PartnerTokenRequest: TOKEN_SCHEMA,
  PortalBusinessRequest: BUSINESS_SCHEMA,
  DecisionRequest: NOTHING_SCHEMA,
  PartnerToken: objectSchema({
    access_token: { type: "string" },
    token_type: { type: "string", enum: ["Partner"] },
    expires_in: { type: "integer", description: "The lifetime of the token in seconds." },
  }),
  Partner: PARTNER,
  PartnerWithAccessCode: withSecret(
    PARTNER,
    "access_code",
    "The code that the partner signs in with.",
  ),
  PartnerSelf: objectSchema({
    ...OWN,
    tenant_name: {
      type: "string",
      description: "The name of the business that you send leads to.",
    },
    currency: { type: "string", description: "An ISO 4217 code, such as USD." },
  }),
};
