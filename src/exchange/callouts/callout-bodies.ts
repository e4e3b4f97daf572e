/** What is sent and told of a tenant's own endpoints (D9.4, D9.5). */

import { SECRETS_SCHEMA, SHOWN_SECRET_SCHEMA } from "../../delivery/index.ts";
import type { Schema } from "../../platform/validation/index.ts";
import { calloutProperties } from "./callout.ts";
import { CHECK_NAMES, ON_ERROR } from "./duplicate-check.ts";
import { WEBHOOK_NAMES } from "./import-webhook.ts";

export const WEBHOOK_SCHEMA: Schema = {
  title: "ImportWebhookRequest",
  type: "object",
  properties: calloutProperties(WEBHOOK_NAMES),
  required: ["enabled"],
  additionalProperties: false,
  "x-rule": ["webhook", null],
};

const POINTER_MAX = 500;
const pointer = (what: string, types: readonly string[] = ["string", "null"]): Schema => ({
  type: types,
  maxLength: POINTER_MAX,
  description: `A JSON Pointer (RFC 6901) to ${what} in the answer.`,
  "x-rule": ["pointer", null],
});

const POINTERS: Readonly<Record<string, Schema>> = {
  exists_pointer: pointer("whether the person exists"),
  name_pointer: pointer("the person's name"),
  active_pointer: pointer("whether the person was active of late"),
  on_error: {
    type: ["string", "null"],
    enum: [...ON_ERROR, null],
    description: "Where the endpoint fails: a 503 and nothing written, or the records here.",
  },
};

export const CHECK_SCHEMA: Schema = {
  title: "DuplicateCheckRequest",
  type: "object",
  properties: { ...calloutProperties(CHECK_NAMES), ...POINTERS },
  required: ["enabled"],
  additionalProperties: false,
  "x-rule": ["check", null],
};

const MAYBE_TEXT: Schema = { type: ["string", "null"] };

const TOLD: Readonly<Record<string, Schema>> = {
  enabled: { type: "boolean" },
  url: MAYBE_TEXT,
  method: { type: "string", enum: ["POST", "PUT"] },
  headers: { type: "object", additionalProperties: { type: "string" } },
  body_template: { type: "string" },
  raw_template: {
    type: ["boolean", "null"],
    description:
      "Null where the template was last saved before there was the choice: it is sent as it was then.",
  },
  timeout_s: { type: "number" },
  updated_ts: { type: ["integer", "null"] },
  updated_date: MAYBE_TEXT,
};

const shape = (properties: Readonly<Record<string, Schema>>): Schema => ({
  type: "object",
  properties,
  required: Object.keys(properties),
});

/** What came of a trial. */
const TRIAL: Readonly<Record<string, Schema>> = {
  ok: { type: "boolean" },
  request: shape({ method: { type: "string" }, url: { type: "string" }, body: MAYBE_TEXT }),
  status: { type: ["integer", "null"], description: "Of the answer." },
  duration_ms: { type: "integer" },
  fault: { ...MAYBE_TEXT, description: "Why there is no response." },
  problem: {
    ...MAYBE_TEXT,
    description: "The same in a sentence. It is the same for all refused addresses.",
  },
};

/** Schemas that openapi.json prints by name. */
export const CALLOUT_SCHEMAS: Readonly<Record<string, Schema>> = {
  ImportWebhookRequest: WEBHOOK_SCHEMA,
  DuplicateCheckRequest: CHECK_SCHEMA,
  ImportWebhook: shape({
    ...TOLD,
    secrets: SECRETS_SCHEMA,
  }),
  DuplicateCheck: shape({
    ...TOLD,
    exists_pointer: { type: "string" },
    name_pointer: MAYBE_TEXT,
    active_pointer: MAYBE_TEXT,
    on_error: { type: "string", enum: [...ON_ERROR] },
  }),
  WebhookSecret: SHOWN_SECRET_SCHEMA,
  PartnerWebhookTest: shape(TRIAL),
  CalloutPreview: shape({
    body: { type: "string", description: "With the sample that a test sends." },
    content_type: { type: "string", description: "By which values were escaped." },
    headers: { type: "object", additionalProperties: { type: "string" } },
  }),
  CalloutTest: {
    type: "object",
    properties: {
      ...TRIAL,
      body: { ...MAYBE_TEXT, description: "The first 2 KiB of the answer." },
      understood: shape({
        exists: { type: "boolean" },
        name: MAYBE_TEXT,
        active: { type: "boolean" },
      }),
    },
    required: [...Object.keys(TRIAL), "body"],
  },
};
