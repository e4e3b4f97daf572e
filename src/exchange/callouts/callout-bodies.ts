/** Request and response bodies for callouts, which are calls to a tenant's own endpoints. */

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
    description: `A JSON Pointer (RFC 6901) into the response, to ${what}.`,
    "x-rule": ["pointer", null],
  }) as const;

const CHECK = {
  ...calloutProperties(CHECK_NAMES),
  exists_pointer: pointer("the value that shows whether the person exists"),
  name_pointer: pointer("the name of the person"),
  active_pointer: pointer("the value that shows whether the person was recently active"),
  on_error: {
    ...nullable(ANSWER_RULE.on_error),
    description:
      "What to do if the endpoint fails: respond with 503 and write nothing, or check the " +
      "CRM's records instead.",
  },
} as const satisfies Record<keyof Check, Schema>;

export const CHECK_SCHEMA = {
  ...bodySchema("DuplicateCheckRequest", CHECK, ["enabled"]),
  "x-rule": ["check", null],
} as const;

const TEXT = { type: "string" } as const;
const MAYBE_TEXT = nullable(TEXT);

const UPDATED = { updated_ts: { type: ["integer", "null"] }, updated_date: MAYBE_TEXT } as const;

/** The result of a test request. */
const TRIAL = {
  ok: { type: "boolean" },
  request: objectSchema({ method: TEXT, url: TEXT, body: MAYBE_TEXT }),
  status: { type: ["integer", "null"], description: "The status of the response." },
  duration_ms: { type: "integer" },
  fault: { ...MAYBE_TEXT, description: "Why there was no response." },
  problem: {
    ...MAYBE_TEXT,
    description: "A description of the fault. It is the same for all rejected addresses.",
  },
} as const satisfies Schemas;

const TEST = {
  ...TRIAL,
  body: { ...MAYBE_TEXT, description: "The first 2 KiB of the response body." },
  understood: objectSchema({
    exists: { type: "boolean" },
    name: MAYBE_TEXT,
    active: { type: "boolean" },
  }),
} as const satisfies Schemas;

/** The import webhook's payload with the default template. */
const IMPORTED_LEAD = objectSchema(
  Object.fromEntries(
    WEBHOOK_NAMES.map((name) => [
      name,
      ["id", "name", "partner_id", "lead_source"].includes(name) ? TEXT : MAYBE_TEXT,
    ]),
  ),
);

/** The named schemas in openapi.json. */
export const CALLOUT_SCHEMAS: Schemas = {
  ImportWebhookRequest: WEBHOOK_SCHEMA,
  DuplicateCheckRequest: CHECK_SCHEMA,
  ImportWebhook: objectSchema({ ...CALLOUT, ...UPDATED, secrets: SECRETS_SCHEMA }),
  DuplicateCheck: objectSchema({ ...CALLOUT, ...UPDATED, ...ANSWER_RULE }),
  WebhookSecret: SHOWN_SECRET_SCHEMA,
  PartnerWebhookTest: objectSchema(TRIAL),
  CalloutPreview: objectSchema({
    body: { type: "string", description: "The body of the request for the sample." },
    content_type: { type: "string", description: "The content type that determined the escaping." },
    headers: CALLOUT.headers,
  }),
  ImportedLead: IMPORTED_LEAD,
  CalloutTest: objectSchema(TEST, [...namesOf(TRIAL), "body"]),
};
