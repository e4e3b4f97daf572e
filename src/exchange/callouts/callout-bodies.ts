/** Request and response bodies for callouts, which are calls to a tenant's own endpoints. */

import { SECRETS_SCHEMA, SHOWN_SECRET_SCHEMA } from "../../delivery/signing/index.ts";
import { namesOf } from "../../platform/json/index.ts";
import type { Schema } from "../../platform/validation/index.ts";
import {
  bodySchema,
  boolean,
  described,
  integer,
  nullable,
  objectSchema,
  type Schemas,
  string,
  UPDATED_TS,
} from "../../platform/schemas/index.ts";
import { CALLOUT, calloutProperties } from "./callout.ts";
import { ANSWER_RULE, type Check, CHECK_NAMES } from "./duplicate-check.ts";
import { WEBHOOK_NAMES } from "./import-webhook.ts";

export const WEBHOOK_SCHEMA = {
  ...bodySchema("ImportWebhookRequest", calloutProperties(WEBHOOK_NAMES), ["enabled"]),
  "x-rule": ["webhook", null],
} as const;

const POINTER_MAX = 500;
const pointer = (what: string) =>
  nullable(
    string(`A JSON Pointer (RFC 6901) into the response, to ${what}.`, {
      maxLength: POINTER_MAX,
      "x-rule": ["pointer", null],
    }),
  );

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

const UPDATED = {
  updated_ts: nullable(UPDATED_TS),
  updated_date: MAYBE_TEXT,
} as const;

/** The result of a test request. */
const TRIAL = {
  ok: boolean("Whether the endpoint accepted the request."),
  request: described(
    objectSchema({
      method: string("The HTTP method."),
      url: string("The URL."),
      body: nullable(string("The body; null if there is none.")),
    }),
    "The request that was sent.",
  ),
  status: nullable(integer("The status of the response.")),
  duration_ms: integer("How long the request took, in milliseconds."),
  fault: nullable(string("Why there was no response.")),
  problem: nullable(
    string("A description of the fault. It is the same for all rejected addresses."),
  ),
} as const satisfies Schemas;

const TEST = {
  ...TRIAL,
  ok: described(TRIAL.ok, "Whether the endpoint returned a valid response."),
  body: nullable(string("The first 2 KiB of the response body.")),
  understood: described(
    objectSchema({
      exists: boolean("Whether the person exists."),
      name: nullable(string("The name of the person; null if there is none.")),
      active: boolean("Whether the person was recently active."),
    }),
    "How the response was interpreted; null if it could not be.",
  ),
} as const satisfies Schemas;

/** The import webhook's payload with the default template. */
const IMPORTED_LEAD = {
  id: string("The id."),
  name: string("The name."),
  email: nullable(string("The email.")),
  phone: nullable(string("The phone number.")),
  partner_id: string("The id of the partner."),
  lead_source: string("The source of the lead."),
  description: nullable(string("A description.")),
} satisfies Record<(typeof WEBHOOK_NAMES)[number], Schema>;

/** The named schemas in openapi.json. */
export const CALLOUT_SCHEMAS: Schemas = {
  ImportWebhookRequest: WEBHOOK_SCHEMA,
  DuplicateCheckRequest: CHECK_SCHEMA,
  ImportWebhook: objectSchema({ ...CALLOUT, ...UPDATED, secrets: SECRETS_SCHEMA }),
  DuplicateCheck: objectSchema({ ...CALLOUT, ...UPDATED, ...ANSWER_RULE }),
  WebhookSecret: SHOWN_SECRET_SCHEMA,
  PartnerWebhookTest: objectSchema(TRIAL),
  CalloutPreview: objectSchema({
    body: string("The body of the request for the sample."),
    content_type: string("The content type that determined the escaping."),
    headers: CALLOUT.headers,
  }),
  ImportedLead: objectSchema(IMPORTED_LEAD),
  CalloutTest: objectSchema(TEST, [...namesOf(TRIAL), "body"]),
};
