/** Request bodies of lookups and pushes: schemas, and the rules that JSON Schema cannot express. */

import { type Clock, epochSeconds } from "../../platform/clock/index.ts";
import { once } from "../../platform/cache/index.ts";
import type { Issue } from "../../platform/errors/index.ts";
import { isObject, type Json, type JsonObject } from "../../platform/json/index.ts";
import { bodyShape } from "../../platform/operations/index.ts";
import {
  checker,
  enumFault,
  type Fault,
  futureFaults,
  momentOf,
  type Schema,
  valueError,
} from "../../platform/validation/index.ts";
import {
  bodySchema,
  nullable,
  type Schemas,
  string,
  type Typed,
} from "../../platform/schemas/index.ts";
import { recordRules, requestSchema } from "../../records/schemas/index.ts";
import { isBlank, type Partner } from "../partners/index.ts";
import type { RecordType } from "../../records/types/index.ts";

const PREFERENCES_MAX = 50;
/**
 * The maximum size of the preferences as JSON. Without this limit, the size of a page of pushed leads could reach
 * 500 MiB.
 */
const PREFERENCES_MAX_bytes = 64 * 1024;
const DESCRIPTION_MAX = 10_000;
/** The source of a push if the partner has no allowed sources. */
const NO_SOURCE = "Unknown";

const MAYBE_TEXT = nullable({ type: "string" });

const PREFERENCES = {
  type: ["object", "null"],
  maxProperties: PREFERENCES_MAX,
  description:
    "What the person is looking for: an object with at most 50 members and 64 KiB of JSON.",
  "x-rule": ["preferences_size", null],
} as const satisfies Schema;

const CONTACT_WAY = { "x-rule": ["contact_way", null] } as const;

/** Returns the bodies of lookups and pushes. Their members have the same limits as the fields of leads. */
const schemasOf = once((lead: RecordType) => {
  const fields = requestSchema(lead, "create")["properties"];
  const lengthOf = (field: string) => ({ maxLength: Number(fields[field]?.["maxLength"]) });
  const ways = {
    email: nullable(
      string("The email. An email or a phone number is required.", { ...lengthOf("email") }),
    ),
    phone: nullable(
      string("The phone number. An email or a phone number is required.", { ...lengthOf("phone") }),
    ),
  };
  const members = {
    name: string("The name of the person.", { ...lengthOf("name"), minLength: 1 }),
    ...ways,
    source: {
      ...MAYBE_TEXT,
      enum: fields["source"]?.["enum"],
      description: "One of your allowed sources. Default: the first.",
    },
    comments: nullable(string("Notes.", { ...lengthOf("comments") })),
    description: nullable(string("What the person needs.", { maxLength: DESCRIPTION_MAX })),
    match_preferences: PREFERENCES,
    match_preferences_dict: {
      ...PREFERENCES,
      description: "Another name for `match_preferences`.",
    },
    expiration_date: {
      type: ["number", "string", "null"],
      description:
        "When the lead expires if it is still pending: epoch seconds or ISO 8601, in the future.",
      "x-rule": ["future", null],
    },
  } as const satisfies Schemas;
  const push = { ...bodySchema("PartnerPushRequest", members, ["name"]), ...CONTACT_WAY };
  return {
    push,
    // Any source is accepted here, because the allowed ones depend on the partner. `sourceIssues` checks the source.
    checkedPush: { ...push, properties: { ...members, source: MAYBE_TEXT } },
    lookup: { ...bodySchema("PartnerLookupRequest", ways, []), ...CONTACT_WAY },
  };
});

type SentPush = Typed<ReturnType<typeof schemasOf>["checkedPush"]>;

function sizeFaults(preferences: Json): readonly Fault[] {
  return Buffer.byteLength(JSON.stringify(preferences)) > PREFERENCES_MAX_bytes
    ? [valueError(`this can have at most ${PREFERENCES_MAX_bytes / 1024} KiB of JSON`)]
    : [];
}

function contactWayFaults(body: Json): readonly Fault[] {
  if (!isObject(body) || !(isBlank(body["email"]) && isBlank(body["phone"]))) return [];
  return [valueError("at least one of email or phone is required")];
}

/** Returns the sources that a partner may use in pushes. If no sources are configured, only Unknown is allowed. */
export const sourcesOf = ({
  allowed_marketing_sources: allowed,
}: Pick<Partner, "allowed_marketing_sources">): readonly string[] =>
  allowed.length === 0 ? [NO_SOURCE] : allowed;

/** Reports a source that this partner may not use. */
export function sourceIssues(partner: Partner, body: JsonObject): readonly Issue[] {
  const { source: sent = null } = body;
  const allowed = sourcesOf(partner);
  if (typeof sent !== "string" || allowed.includes(sent)) return [];
  return [{ loc: ["body", "source"], input: sent, ...enumFault(allowed) }];
}

const given = (text: string | null = null): string | null => (isBlank(text) ? null : text);

/** Returns a validated push, with missing members filled in. */
export const pushOf = (partner: Pick<Partner, "allowed_marketing_sources">, body: SentPush) => ({
  name: body.name,
  email: given(body.email),
  phone: given(body.phone),
  source: body.source ?? sourcesOf(partner)[0] ?? NO_SOURCE,
  comments: body.comments ?? null,
  description: body.description ?? null,
  match_preferences: body.match_preferences ?? body.match_preferences_dict ?? null,
  /** When the lead expires, in epoch seconds. Null if it never expires. */
  expiration_ts: momentOf(body.expiration_date ?? null) ?? null,
});

/** A validated push. */
export type Push = ReturnType<typeof pushOf>;

/** Returns functions that return the type of a body for a type of leads. */
export const pushShapes = (clock: Clock) => {
  const compile = checker({
    ...recordRules(clock),
    future: (value) => futureFaults(value, epochSeconds(clock)),
    contact_way: contactWayFaults,
    preferences_size: sizeFaults,
  });
  return {
    push: (lead: RecordType) => {
      const { push, checkedPush } = schemasOf(lead);
      return { ...bodyShape(checkedPush, compile), schema: push };
    },
    lookup: (lead: RecordType) => bodyShape(schemasOf(lead).lookup, compile),
  };
};

export type PushShapes = ReturnType<typeof pushShapes>;

/** Returns the named schemas in openapi.json. */
export function pushSchemas(lead: RecordType): Schemas {
  const { push, lookup } = schemasOf(lead);
  return { PartnerPushRequest: push, PartnerLookupRequest: lookup };
}
