/** What is sent and told of partners (D8.1, D8.2, D9.3). */

import {
  ADDRESS_LIST_SCHEMA,
  addressRange,
  CONCURRENCY_LIMIT_SCHEMA,
  RATE_LIMIT_SCHEMA,
} from "../../access/index.ts";
import type { Clock } from "../../platform/clock/index.ts";
import type { Json, JsonObject } from "../../platform/json/index.ts";
import type { BodyShape } from "../../platform/operations/index.ts";
import { type Check, checker, type Schema, withSecret } from "../../platform/validation/index.ts";
import { RECORD_TYPES, recordRules, requestSchema } from "../../records/index.ts";
import { PARTNER_LIMITS, PARTNER_PERMISSIONS, PARTNER_STATUSES } from "./partners.ts";

const LEAD = requestSchema(RECORD_TYPES.lead, "create")["properties"] as Record<string, Schema>;
/** The sources that a lead may have (spec 2.1). */
const SOURCES = ((LEAD["source"]?.["enum"] ?? []) as readonly (string | null)[]).filter(
  (source) => source !== null,
);

const PERMISSIONS = Object.keys(PARTNER_PERMISSIONS);

const listOf = (values: readonly string[], description: string): Schema => ({
  type: ["array", "null"],
  maxItems: values.length,
  uniqueItems: true,
  items: { type: "string", enum: values },
  description,
});

const SETTINGS: Readonly<Record<string, Schema>> = {
  name: { type: "string", minLength: 1, maxLength: 200 },
  status: { type: ["string", "null"], enum: [...PARTNER_STATUSES, null] },
  auto_accept: {
    type: ["boolean", "null"],
    description: "Whether pushes that resemble nobody are accepted at once. Never imports.",
  },
  can_push: { type: ["boolean", "null"] },
  allowed_marketing_sources: listOf(
    SOURCES,
    "What it may push as, the first by default, and whose leads and contacts it may read.",
  ),
  permissions: listOf(PERMISSIONS, "All of them by default."),
  commission_rate: {
    type: ["number", "null"],
    minimum: 0,
    maximum: 100,
    description: "Percent of a won deal, with at most 6 decimals.",
    "x-rule": ["money", null],
  },
  ip_allow_list: ADDRESS_LIST_SCHEMA,
  rate_limit: RATE_LIMIT_SCHEMA,
  concurrency_limit: CONCURRENCY_LIMIT_SCHEMA,
};

const PARTNER_SCHEMA: Schema = {
  title: "PartnerRequest",
  type: "object",
  properties: SETTINGS,
  required: ["name"],
  additionalProperties: false,
};

const PARTNER_UPDATE_SCHEMA: Schema = {
  title: "PartnerUpdateRequest",
  type: "object",
  properties: SETTINGS,
  additionalProperties: false,
};

const TOKEN_SCHEMA: Schema = {
  title: "PartnerTokenRequest",
  type: "object",
  properties: {
    partner_id: { type: "string", minLength: 1, maxLength: 100 },
    access_code: { type: "string", minLength: 1, maxLength: 200 },
  },
  required: ["partner_id", "access_code"],
  additionalProperties: false,
};

const NOTHING_SCHEMA: Schema = {
  title: "DecisionRequest",
  type: "object",
  properties: {},
  additionalProperties: false,
};

/** Whether a member says nothing: it is missing, null or only spaces. */
export const isBlank = (value: Json | undefined): boolean =>
  value === undefined || value === null || (typeof value === "string" && value.trim() === "");

/** null means "not given" in a PATCH of fields that have a default (D1.8); a limit it takes back. */
const saysNothing = (body: JsonObject): boolean =>
  Object.entries(body).every(
    ([name, value]) => value === null && !(PARTNER_LIMITS as readonly string[]).includes(name),
  );

export const bodyShape = (schema: Schema, check: Check): BodyShape => ({
  name: schema["title"] as string,
  schema,
  check,
});

export const partnerShapes = (clock: Clock) => {
  const compile = checker({ ...recordRules(clock), address_range: addressRange });
  const shape = (schema: Schema): BodyShape => bodyShape(schema, compile(schema));
  return {
    partner: shape(PARTNER_SCHEMA),
    partnerUpdate: { ...shape(PARTNER_UPDATE_SCHEMA), isEmpty: saysNothing },
    token: shape(TOKEN_SCHEMA),
    nothing: shape(NOTHING_SCHEMA),
  };
};

export type PartnerShapes = ReturnType<typeof partnerShapes>;

const list = (values: readonly string[]): Schema => ({
  type: "array",
  items: { type: "string", enum: values },
});

/** What the partner itself is told, too. */
const OWN: Readonly<Record<string, Schema>> = {
  partner_id: { type: "string" },
  name: { type: "string" },
  status: { type: "string", enum: [...PARTNER_STATUSES] },
  auto_accept: { type: "boolean" },
  can_push: { type: "boolean" },
  allowed_marketing_sources: list(SOURCES),
  permissions: list(PERMISSIONS),
  commission_rate: { type: "number", description: "Percent." },
};

const stamp = { type: "integer", description: "Epoch seconds." };
const iso = { type: "string", format: "date-time" };

const TOLD: Readonly<Record<string, Schema>> = {
  id: { type: "string" },
  ...OWN,
  ip_allow_list: { type: "array", items: { type: "string" } },
  rate_limit: RATE_LIMIT_SCHEMA,
  concurrency_limit: CONCURRENCY_LIMIT_SCHEMA,
  created_ts: stamp,
  created_date: iso,
  updated_ts: stamp,
  updated_date: iso,
};

const PARTNER: Schema = { type: "object", properties: TOLD, required: Object.keys(TOLD) };

/** Schemas that openapi.json prints by name. */
export const PARTNER_SCHEMAS: Readonly<Record<string, Schema>> = {
  PartnerRequest: PARTNER_SCHEMA,
  PartnerUpdateRequest: PARTNER_UPDATE_SCHEMA,
  PartnerTokenRequest: TOKEN_SCHEMA,
  DecisionRequest: NOTHING_SCHEMA,
  PartnerToken: {
    type: "object",
    properties: {
      access_token: { type: "string" },
      token_type: { type: "string", enum: ["Partner"] },
      expires_in: { type: "integer", description: "Seconds." },
    },
    required: ["access_token", "token_type", "expires_in"],
  },
  Partner: PARTNER,
  PartnerWithAccessCode: withSecret(PARTNER, "access_code", "What the partner signs in with."),
  PartnerSelf: {
    type: "object",
    properties: { ...OWN, currency: { type: "string", description: "ISO 4217." } },
    required: [...Object.keys(OWN), "currency"],
  },
};
