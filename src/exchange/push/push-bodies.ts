/** What partners send of people: lookups and pushes, as schemas with what JSON Schema cannot say (D8.3, D8.4). */

import { type Clock, epochSeconds } from "../../platform/clock/index.ts";
import type { Issue } from "../../platform/errors/index.ts";
import { isObject, type Json, type JsonObject } from "../../platform/json/index.ts";
import {
  checker,
  enumFault,
  type Fault,
  futureFaults,
  momentOf,
  type Schema,
  valueError,
} from "../../platform/validation/index.ts";
import { RECORD_TYPES, recordRules, requestSchema } from "../../records/index.ts";
import { bodyShape, isBlank, type Partner } from "../partners/index.ts";
import type { Push } from "./push.ts";

const PREFERENCES_MAX = 50;
const DESCRIPTION_MAX = 10_000;
/** What a push from a partner without allowed sources counts as (D8.4). */
const NO_SOURCE = "Unknown";

/** The fields that a lead takes too, with the limits that it has there. */
const LEAD = requestSchema(RECORD_TYPES.lead, "create")["properties"] as Record<string, Schema>;
const { name, email, phone, comments, source } = LEAD;

const PREFERENCES: Schema = {
  type: ["object", "null"],
  maxProperties: PREFERENCES_MAX,
  description: "What the person looks for, at most 50 members.",
};

const PUSH_SCHEMA: Schema = {
  title: "PartnerPushRequest",
  type: "object",
  properties: {
    name: { ...name, minLength: 1 },
    email,
    phone,
    source: { ...source, description: "One of the partner's allowed sources; its first without." },
    comments,
    description: { type: ["string", "null"], maxLength: DESCRIPTION_MAX },
    match_preferences: PREFERENCES,
    match_preferences_dict: { ...PREFERENCES, description: "Another name of match_preferences." },
    expiration_date: {
      type: ["number", "string", "null"],
      description: "Epoch seconds or ISO 8601, in the future.",
      "x-rule": ["future", null],
    },
  },
  required: ["name"],
  additionalProperties: false,
  "x-rule": ["contact_way", null],
};

/** Which sources a partner may name is known with the partner: see sourceIssues. */
const CHECKED_PUSH: Schema = {
  ...PUSH_SCHEMA,
  properties: { ...(PUSH_SCHEMA["properties"] as object), source: { type: ["string", "null"] } },
};

const LOOKUP_SCHEMA: Schema = {
  title: "PartnerLookupRequest",
  type: "object",
  properties: { email, phone },
  additionalProperties: false,
  "x-rule": ["contact_way", null],
};

function contactWayFaults(body: Json): readonly Fault[] {
  if (!isObject(body) || !(isBlank(body["email"]) && isBlank(body["phone"]))) return [];
  return [valueError("at least one of email or phone is required")];
}

/** The sources a partner may push: nothing but Unknown where it has none. */
export const sourcesOf = ({ allowed_marketing_sources: allowed }: Partner): readonly string[] =>
  allowed.length === 0 ? [NO_SOURCE] : allowed;

/** A source that this partner is not allowed. */
export function sourceIssues(partner: Partner, body: JsonObject): readonly Issue[] {
  const { source: sent = null } = body;
  const allowed = sourcesOf(partner);
  if (typeof sent !== "string" || allowed.includes(sent)) return [];
  return [{ loc: ["body", "source"], input: sent, ...enumFault(allowed) }];
}

/** A checked push with what was left out. */
export function pushOf(partner: Partner, body: JsonObject): Push {
  const text = (member: string): string | null => (body[member] ?? null) as string | null;
  const way = (member: string): string | null => (isBlank(body[member]) ? null : text(member));
  return {
    name: text("name") ?? "",
    email: way("email"),
    phone: way("phone"),
    source: text("source") ?? sourcesOf(partner)[0] ?? NO_SOURCE,
    comments: text("comments"),
    description: text("description"),
    match_preferences: (body["match_preferences"] ??
      body["match_preferences_dict"] ??
      null) as JsonObject | null,
    expiration_ts: momentOf(body["expiration_date"] ?? null) ?? null,
  };
}

export const pushShapes = (clock: Clock) => {
  const compile = checker({
    ...recordRules(clock),
    future: (value) => futureFaults(value, epochSeconds(clock)),
    contact_way: contactWayFaults,
  });
  return {
    push: bodyShape(PUSH_SCHEMA, compile(CHECKED_PUSH)),
    lookup: bodyShape(LOOKUP_SCHEMA, compile(LOOKUP_SCHEMA)),
  };
};

export type PushShapes = ReturnType<typeof pushShapes>;

/** Schemas that openapi.json prints by name. */
export const PUSH_SCHEMAS: Readonly<Record<string, Schema>> = {
  PartnerPushRequest: PUSH_SCHEMA,
  PartnerLookupRequest: LOOKUP_SCHEMA,
};
