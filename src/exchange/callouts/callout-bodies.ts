/** What is sent and told of a tenant's own endpoints. */

import { SECRETS_SCHEMA, SHOWN_SECRET_SCHEMA } from "../../delivery/index.ts";
import { namesOf } from "../../platform/json/index.ts";
import {
  bodySchema,
  nullable,
  objectSchema,
  type Schema,
  type Schemas,
} from "../../platform/validation/index.ts";
import { CALLOUT, calloutProperties } from "./callout.ts";
import { ANSWER_RULE, type Check, CHECK_NAMES } from "./duplicate-check.ts";
import { WEBHOOK_NAMES } from "./import-webhook.ts";

export const WEBHOOK_SCHEMA = {
  ...bodySchema("ImportWebhookRequest", calloutProperties(WEBHOOK_NAMES), ["enabled"]),
  "x-rule": ["webhook", null],
} as const;

const POINTER_MAX = 500;
const pointer = (what: string) =>
  ({
    type: ["string", "null"],
    maxLength: POINTER_MAX,
    description: `A JSON Pointer (RFC 6901) to ${what} in the answer.`,
    "x-rule": ["pointer", null],
  }) as const;

const CHECK = {
  ...calloutProperties(CHECK_NAMES),
  exists_pointer: pointer("whether the person exists"),
  name_pointer: pointer("the person's name"),
  active_pointer: pointer("whether the person was active of late"),
  on_error: {
    ...nullable(ANSWER_RULE.on_error),
    description: "Where the endpoint fails: a 503 and nothing written, or the records here.",
  },
} as const satisfies Record<keyof Check, Schema>;

export const CHECK_SCHEMA = {
  ...bodySchema("DuplicateCheckRequest", CHECK, ["enabled"]),
  "x-rule": ["check", null],
} as const;

const TEXT = { type: "string" } as const;
const MAYBE_TEXT = nullable(TEXT);

const UPDATED = { updated_ts: { type: ["integer", "null"] }, updated_date: MAYBE_TEXT } as const;

/** What came of a trial. */
const TRIAL = {
  ok: { type: "boolean" },
  request: objectSchema({ method: TEXT, url: TEXT, body: MAYBE_TEXT }),
  status: { type: ["integer", "null"], description: "Of the answer." },
  duration_ms: { type: "integer" },
  fault: { ...MAYBE_TEXT, description: "Why there is no response." },
  problem: {
    ...MAYBE_TEXT,
    description: "The same in a sentence. It is the same for all refused addresses.",
  },
} as const satisfies Schemas;

const TEST = {
  ...TRIAL,
  body: { ...MAYBE_TEXT, description: "The first 2 KiB of the answer." },
  understood: objectSchema({
    exists: { type: "boolean" },
    name: MAYBE_TEXT,
    active: { type: "boolean" },
  }),
} as const satisfies Schemas;

/** Schemas that openapi.json prints by name. */
export const CALLOUT_SCHEMAS: Schemas = {
  ImportWebhookRequest: WEBHOOK_SCHEMA,
  DuplicateCheckRequest: CHECK_SCHEMA,
  ImportWebhook: objectSchema({ ...CALLOUT, ...UPDATED, secrets: SECRETS_SCHEMA }),
  DuplicateCheck: objectSchema({ ...CALLOUT, ...UPDATED, ...ANSWER_RULE }),
  WebhookSecret: SHOWN_SECRET_SCHEMA,
  PartnerWebhookTest: objectSchema(TRIAL),
  CalloutPreview: objectSchema({
    body: { type: "string", description: "With the sample that a test sends." },
    content_type: { type: "string", description: "By which values were escaped." },
    headers: CALLOUT.headers,
  }),
  CalloutTest: objectSchema(TEST, [...namesOf(TRIAL), "body"]),
};
