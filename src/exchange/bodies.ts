/** What partners and reviewers send, as schemas with what JSON Schema cannot say (D8.3, D8.4, D9.3). */

import { addressRange } from "../access/index.ts";
import { epochSeconds, type Clock } from "../platform/clock.ts";
import type { Issue } from "../platform/errors.ts";
import { isObject, type Json, type JsonObject } from "../platform/json.ts";
import { futureFaults, momentOf } from "../platform/moment.ts";
import type { BodyShape } from "../platform/operation.ts";
import {
  checker,
  enumFault,
  valueError,
  type Fault,
  type Rule,
  type Schema,
} from "../platform/validation.ts";
import { RECORD_TYPES, recordRules, requestSchema } from "../records/index.ts";
import { PARTNER_SCHEMA, PARTNER_UPDATE_SCHEMA, TOKEN_SCHEMA } from "./partner-bodies.ts";
import { PARTNER_LIMITS, type Partner } from "./partners.ts";
import type { Push } from "./push.ts";
import { ACTIONS } from "./review.ts";

const PREFERENCES_MAX = 50;
const REASON_MAX = 5000;
const DESCRIPTION_MAX = 10_000;
const BATCH_MAX = 500;
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

const REASON: Schema = { type: "string", minLength: 1, maxLength: REASON_MAX };

const REJECT_SCHEMA: Schema = {
  title: "RejectRequest",
  type: "object",
  properties: { reason: { ...REASON, "x-rule": ["not_blank", null] } },
  required: ["reason"],
  additionalProperties: false,
};

const NOTHING_SCHEMA: Schema = {
  title: "DecisionRequest",
  type: "object",
  properties: {},
  additionalProperties: false,
};

const BATCH_SCHEMA: Schema = {
  title: "PushedLeadBatchRequest",
  type: "object",
  properties: {
    ids: {
      type: "array",
      minItems: 1,
      maxItems: BATCH_MAX,
      items: { type: "string", minLength: 1, maxLength: 100 },
    },
    action: { type: "string", enum: [...ACTIONS] },
    reason: { ...REASON, type: ["string", "null"], description: "Why they are rejected." },
  },
  required: ["ids", "action"],
  additionalProperties: false,
  "x-rule": ["reason_for_reject", null],
};

const isBlank = (value: Json | undefined): boolean =>
  value === undefined || value === null || (typeof value === "string" && value.trim() === "");

function contactWayFaults(body: Json): readonly Fault[] {
  if (!isObject(body) || !(isBlank(body["email"]) && isBlank(body["phone"]))) return [];
  return [valueError("at least one of email or phone is required")];
}

function reasonFaults(body: Json): readonly Fault[] {
  if (!isObject(body)) return [];
  const { action, reason } = body;
  if (action === "reject") {
    return isBlank(reason) ? [{ type: "missing", msg: "Field required", at: "reason" }] : [];
  }
  return isBlank(reason) ? [] : [valueError("a reason is given for reject alone", "reason")];
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

/** The shapes by what they are for. */
export function exchangeShapes(clock: Clock) {
  const rules: Readonly<Record<string, Rule>> = {
    ...recordRules(clock),
    address_range: addressRange,
    future: (value) => futureFaults(value, epochSeconds(clock)),
    contact_way: contactWayFaults,
    not_blank: (value) =>
      typeof value === "string" && value !== "" && isBlank(value)
        ? [valueError("this says nothing")]
        : [],
    reason_for_reject: reasonFaults,
  };
  const compile = checker(rules);
  const shape = (schema: Schema, checked = schema): BodyShape => ({
    name: schema["title"] as string,
    schema,
    check: compile(checked),
  });
  return {
    push: shape(PUSH_SCHEMA, CHECKED_PUSH),
    lookup: shape(LOOKUP_SCHEMA),
    reject: shape(REJECT_SCHEMA),
    nothing: shape(NOTHING_SCHEMA),
    batch: shape(BATCH_SCHEMA),
    partner: shape(PARTNER_SCHEMA),
    partnerUpdate: { ...shape(PARTNER_UPDATE_SCHEMA), isEmpty: saysNothing },
    token: shape(TOKEN_SCHEMA),
  };
}

/** null means "not given" in a PATCH of fields that have a default (D1.8); a limit it takes back. */
const saysNothing = (body: JsonObject): boolean =>
  Object.entries(body).every(
    ([name, value]) => value === null && !(PARTNER_LIMITS as readonly string[]).includes(name),
  );

export type ExchangeShapes = ReturnType<typeof exchangeShapes>;

/** Schemas that openapi.json prints by name. */
export const BODY_SCHEMAS: Readonly<Record<string, Schema>> = Object.fromEntries(
  [PUSH_SCHEMA, LOOKUP_SCHEMA, REJECT_SCHEMA, NOTHING_SCHEMA, BATCH_SCHEMA].map((schema) => [
    schema["title"] as string,
    schema,
  ]),
);
