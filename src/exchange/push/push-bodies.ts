/** What partners send of people: lookups and pushes, as schemas with what JSON Schema cannot say. */

import { type Clock, epochSeconds } from "../../platform/clock/index.ts";
import type { Issue } from "../../platform/errors/index.ts";
import { isObject, type Json, type JsonObject } from "../../platform/json/index.ts";
import { bodyShape } from "../../platform/operations/index.ts";
import {
  bodySchema,
  checker,
  enumFault,
  type Fault,
  futureFaults,
  momentOf,
  nullable,
  type Schema,
  type Schemas,
  type Typed,
  valueError,
} from "../../platform/validation/index.ts";
import { RECORD_TYPES, recordRules, requestSchema } from "../../records/index.ts";
import { isBlank, type Partner } from "../partners/index.ts";

const PREFERENCES_MAX = 50;
const DESCRIPTION_MAX = 10_000;
/** What a push from a partner without allowed sources counts as. */
const NO_SOURCE = "Unknown";

/** The fields that a lead takes too, with the limits that it has there. */
const LEAD = requestSchema(RECORD_TYPES.lead, "create")["properties"];
const { name, email, phone, comments, source } = LEAD;
const MAYBE_TEXT = nullable({ type: "string" });

const PREFERENCES = {
  type: ["object", "null"],
  maxProperties: PREFERENCES_MAX,
  description: "What the person looks for, at most 50 members.",
} as const satisfies Schema;

const WAYS = { email: { ...email, ...MAYBE_TEXT }, phone: { ...phone, ...MAYBE_TEXT } };

const PUSH = {
  name: { ...name, type: "string", minLength: 1 },
  ...WAYS,
  source: {
    ...source,
    ...MAYBE_TEXT,
    description: "One of the partner's allowed sources; its first without.",
  },
  comments: { ...comments, ...MAYBE_TEXT },
  description: { ...MAYBE_TEXT, maxLength: DESCRIPTION_MAX },
  match_preferences: PREFERENCES,
  match_preferences_dict: { ...PREFERENCES, description: "Another name of match_preferences." },
  expiration_date: {
    type: ["number", "string", "null"],
    description: "Epoch seconds or ISO 8601, in the future.",
    "x-rule": ["future", null],
  },
} as const satisfies Schemas;

const CONTACT_WAY = { "x-rule": ["contact_way", null] } as const;
const PUSH_SCHEMA = { ...bodySchema("PartnerPushRequest", PUSH, ["name"]), ...CONTACT_WAY };
/** Which sources a partner may name is known with the partner: see sourceIssues. */
const CHECKED_PUSH = { ...PUSH_SCHEMA, properties: { ...PUSH, source: MAYBE_TEXT } };
const LOOKUP_SCHEMA = { ...bodySchema("PartnerLookupRequest", WAYS, []), ...CONTACT_WAY };

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

const given = (text: string | null = null): string | null => (isBlank(text) ? null : text);

/** A checked push with what was left out. */
export const pushOf = (partner: Partner, body: Typed<typeof CHECKED_PUSH>) => ({
  name: body.name,
  email: given(body.email),
  phone: given(body.phone),
  source: body.source ?? sourcesOf(partner)[0] ?? NO_SOURCE,
  comments: body.comments ?? null,
  description: body.description ?? null,
  match_preferences: body.match_preferences ?? body.match_preferences_dict ?? null,
  /** Epoch seconds. */
  expiration_ts: momentOf(body.expiration_date ?? null) ?? null,
});

/** What a partner pushes, checked. */
export type Push = ReturnType<typeof pushOf>;

export const pushShapes = (clock: Clock) => {
  const compile = checker({
    ...recordRules(clock),
    future: (value) => futureFaults(value, epochSeconds(clock)),
    contact_way: contactWayFaults,
  });
  return {
    push: { ...bodyShape(CHECKED_PUSH, compile), schema: PUSH_SCHEMA },
    lookup: bodyShape(LOOKUP_SCHEMA, compile),
  };
};

export type PushShapes = ReturnType<typeof pushShapes>;

/** Schemas that openapi.json prints by name. */
export const PUSH_SCHEMAS: Schemas = {
  PartnerPushRequest: PUSH_SCHEMA,
  PartnerLookupRequest: LOOKUP_SCHEMA,
};
