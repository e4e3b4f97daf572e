/** Partners, and their request and response bodies. */

import {
  ADDRESS_LIST_SCHEMA,
  addressRange,
  CONCURRENCY_LIMIT_SCHEMA,
  RATE_LIMIT_SCHEMA,
} from "../../limits/index.ts";
import type { Clock } from "../../platform/clock/index.ts";
import { givenIn, type Json, type JsonObject, namesOf, pick } from "../../platform/json/index.ts";
import { bodyShape } from "../../platform/operations/index.ts";
import { checker } from "../../platform/validation/index.ts";
import {
  bodySchema,
  boolean,
  CREATED_TS,
  described,
  integer,
  type Members,
  nullable,
  number,
  objectSchema,
  type Schemas,
  string,
  type Typed,
  UPDATED_TS,
  withSecret,
} from "../../platform/schemas/index.ts";
import { LEAD_SOURCES } from "../../records/types/index.ts";
import { recordRules } from "../../records/schemas/index.ts";

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
  name: string("The name of the partner."),
  status: string("The status.", { enum: PARTNER_STATUSES }),
  auto_accept: boolean(
    "Whether pushed leads without possible duplicates are accepted automatically.",
  ),
  can_push: boolean("Whether the partner may push leads."),
  allowed_marketing_sources: {
    type: "array",
    items: { type: "string", enum: LEAD_SOURCES },
    description:
      "The sources of the leads that the partner pushes, and of the leads and contacts it may read.",
  },
  permissions: {
    type: "array",
    items: { type: "string", enum: namesOf(PARTNER_PERMISSIONS) },
    description: "The partner's permissions.",
  },
  commission_rate: number("The commission rate, as a percentage of each won deal."),
} as const satisfies Schemas;

/** A partner's limits on requests. Null restores the installation's limit. */
const LIMITS = {
  rate_limit: RATE_LIMIT_SCHEMA,
  concurrency_limit: CONCURRENCY_LIMIT_SCHEMA,
} as const satisfies Schemas;

/** All settings that the tenant chooses. */
const SETTINGS = {
  ...OWN_SETTINGS,
  ip_allow_list: {
    type: "array",
    items: { type: "string" },
    description:
      "Addresses and CIDR ranges that the credential may be used from. An empty list means no restriction.",
  },
  ...LIMITS,
} as const satisfies Schemas;

const WRITTEN = {
  created_ts: CREATED_TS,
  updated_ts: UPDATED_TS,
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
  name: string("The name of the partner.", { minLength: 1, maxLength: 200 }),
  status: {
    ...nullable(SETTINGS.status),
    description: "A suspended partner cannot sign in or use its tokens.",
  },
  auto_accept: {
    ...nullable(SETTINGS.auto_accept),
    description:
      "Whether pushed leads without possible duplicates are accepted automatically. They are not imported.",
  },
  can_push: {
    ...nullable(SETTINGS.can_push),
    description: "Whether the partner may push leads. Default: true.",
  },
  allowed_marketing_sources: {
    type: ["array", "null"],
    items: SETTINGS.allowed_marketing_sources.items,
    maxItems: LEAD_SOURCES.length,
    uniqueItems: true,
    description:
      "The sources of the leads that the partner can push (the first is the default) and of " +
      "the leads and contacts that it can read.",
  },
  permissions: {
    type: ["array", "null"],
    items: SETTINGS.permissions.items,
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
  partner_id: string("The id of the partner.", { minLength: 1, maxLength: 100 }),
  access_code: string("The access code of the partner.", { minLength: 1, maxLength: 200 }),
});
export type Credentials = Typed<typeof TOKEN_SCHEMA>;

const BUSINESS_SCHEMA = bodySchema("PortalBusinessRequest", {
  tenant_id: string("The id of the business.", { minLength: 1, maxLength: 100 }),
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

/** The partner's own settings, as the partner sees them. */
const OWN = {
  partner_id: string("The id of the partner."),
  ...OWN_SETTINGS,
  name: described(OWN_SETTINGS.name, "The name."),
  auto_accept: described(
    OWN_SETTINGS.auto_accept,
    "Whether your leads without possible duplicates are accepted automatically.",
  ),
  can_push: described(OWN_SETTINGS.can_push, "Whether you may push leads."),
  allowed_marketing_sources: described(
    OWN_SETTINGS.allowed_marketing_sources,
    "The sources of the leads that you push, and of the leads and contacts you may read.",
  ),
  permissions: described(OWN_SETTINGS.permissions, "Your permissions."),
} as const;
const ISO = { type: "string", format: "date-time" } as const;

const PARTNER = objectSchema({
  id: string("The id of the partner."),
  partner_id: string("Equal to `id`."),
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
    access_token: string("The token. Send it as `Authorization: Partner <token>`."),
    token_type: string("The scheme of the Authorization header.", { enum: ["Partner"] }),
    expires_in: integer("The lifetime of the token in seconds."),
  }),
  Partner: PARTNER,
  PartnerWithAccessCode: withSecret(
    PARTNER,
    "access_code",
    "The code that the partner signs in with.",
  ),
  PartnerSelf: objectSchema({
    ...OWN,
    tenant_name: string("The name of the business that you send leads to."),
    currency: string("An ISO 4217 code, such as USD."),
  }),
};
