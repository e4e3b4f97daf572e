/** What is sent and returned around reports, erasures and retention, as schemas. */

import { bodyShape } from "../platform/operations/index.ts";
import {
  bodySchema,
  checker,
  nullable,
  objectSchema,
  type Schemas,
} from "../platform/validation/index.ts";
import { namesOf } from "../platform/json/index.ts";
import { PRIVACY_SETTINGS } from "./privacy-settings.ts";
import { EFFECTS, REASONS, RECIPIENT_KINDS } from "./person/index.ts";

const STRING = { type: "string" } as const;
const INTEGER = { type: "integer" } as const;
const BOOLEAN = { type: "boolean" } as const;
const IDS = { type: "array", items: { type: "string", maxLength: 100 } } as const;

const compile = checker({});

const REPORT_REQUEST = {
  ...bodySchema(
    "PersonReportRequest",
    {
      email: {
        ...nullable(STRING),
        maxLength: 254,
        description: "Compared without regard to case.",
      },
      phone: {
        ...nullable(STRING),
        maxLength: 50,
        description: "Read in the tenant's default country.",
      },
    },
    [],
  ),
  anyOf: [
    { required: ["email"], properties: { email: STRING } },
    { required: ["phone"], properties: { phone: STRING } },
  ],
} as const;

const ERASE_REQUEST = bodySchema(
  "PersonEraseRequest",
  {
    report_id: { ...STRING, maxLength: 100, description: "Of a report of the last 24 hours." },
    record_ids: {
      ...IDS,
      minItems: 1,
      maxItems: 1000,
      description: "The records of the report that belong to the person.",
    },
    review_ids: {
      ...IDS,
      maxItems: 500,
      description:
        "Records that mention the person, as the report lists them: names, addresses and numbers in them are replaced.",
    },
    dry_run: { ...BOOLEAN, description: "Return what would be done, and change nothing." },
  },
  ["report_id", "record_ids"],
);

const PRIVACY_REQUEST = bodySchema("PrivacySettingsRequest", PRIVACY_SETTINGS, []);
/** Returned with the settings: sent back with them, it is ignored. */
const STAMPS = ["updated_ts", "updated_date"];

export const BODIES = {
  report: bodyShape(REPORT_REQUEST, compile),
  erase: bodyShape(ERASE_REQUEST, compile),
  privacy: bodyShape(PRIVACY_REQUEST, (schema) =>
    compile({
      ...schema,
      properties: { ...PRIVACY_SETTINGS, ...Object.fromEntries(STAMPS.map((name) => [name, {}])) },
    }),
  ),
};

const RECIPIENT = objectSchema({
  kind: {
    ...STRING,
    enum: RECIPIENT_KINDS,
    description:
      "sent_lead: the partner pushed the person. could_read: the partner may read records of this source. " +
      "event_webhook, import_webhook: a request was accepted there.",
  },
  partner_id: nullable(STRING),
  partner_name: nullable(STRING),
  webhook_id: nullable(STRING),
  url: nullable(STRING),
  requests: { ...nullable(INTEGER), description: "Requests that were accepted." },
});

const LEGAL_HOLD = objectSchema({
  type: { ...STRING, enum: ["invoice"] },
  id: STRING,
  fields: { type: "array", items: STRING, description: "The fields that stay." },
});

const COUNTS = { type: "object", additionalProperties: INTEGER } as const;
const LIST = { type: "array", items: { type: "object", additionalProperties: true } } as const;

const FOUND = objectSchema({
  type: { ...STRING, description: "A record type, pushed_lead, or rejected_row." },
  id: STRING,
  name: nullable(STRING),
  version: {
    type: ["integer", "string", "null"],
    description: "If it differs later, the record was changed.",
  },
  matched: { type: "array", items: { ...STRING, enum: REASONS } },
  effect: {
    ...STRING,
    enum: EFFECTS,
    description:
      "erase: the record is removed. clear: what identifies the person is removed from it. unlink: its reference " +
      "to the person becomes null; it need not be chosen.",
  },
  merged_into: nullable(STRING),
});

const MENTION = objectSchema({
  type: STRING,
  id: STRING,
  name: nullable(STRING),
  fields: { type: "array", items: STRING },
  kinds: { type: "array", items: { ...STRING, enum: ["email", "phone", "name"] } },
  in_history: { ...BOOLEAN, description: "Whether only the history mentions the person." },
});

const ERASURE = {
  id: { ...STRING, description: "Of a dry run, no erasure has this id." },
  report_id: STRING,
  state: {
    ...STRING,
    enum: ["dry_run", "running", "done"],
    description: "running: the rest is done in the background. Read the erasure again.",
  },
  records: {
    type: "array",
    items: objectSchema({ type: STRING, id: STRING, effect: STRING }),
    description: "What was erased, with the old ids of merged records.",
  },
  counts: { ...COUNTS, description: "Rows that were removed or changed, by table." },
  recipients: { type: "array", items: RECIPIENT },
  legal_holds: { type: "array", items: LEGAL_HOLD },
  created_ts: INTEGER,
  created_date: STRING,
  finished_ts: nullable(INTEGER),
  finished_date: nullable(STRING),
} as const satisfies Schemas;

/** Schemas that openapi.json prints by name. */
export const privacySchemas: Schemas = {
  PersonReportRequest: REPORT_REQUEST,
  PersonEraseRequest: ERASE_REQUEST,
  PrivacySettingsRequest: PRIVACY_REQUEST,
  PersonReport: objectSchema({
    report_id: STRING,
    created_ts: INTEGER,
    created_date: STRING,
    expires_ts: INTEGER,
    expires_date: STRING,
    searched: objectSchema({ email: nullable(STRING), phone: nullable(STRING) }),
    records: { type: "array", items: FOUND },
    mentions: {
      type: "array",
      items: MENTION,
      description:
        "What else mentions the person: for review, nothing in it is changed unless you choose it.",
    },
    recipients: { type: "array", items: RECIPIENT },
    legal_holds: { type: "array", items: LEGAL_HOLD },
    counts: COUNTS,
    is_complete: { ...BOOLEAN, description: "False if a section of `data` was cut off." },
    data: {
      ...objectSchema({
        records: LIST,
        pushed_leads: LIST,
        merged_copies: LIST,
        history: LIST,
        deliveries: LIST,
        rejected_rows: LIST,
        stored_responses: LIST,
        attributions: LIST,
      }),
      description: "Everything stored about the person.",
    },
  }),
  PersonErasure: objectSchema(ERASURE),
  PrivacySettings: objectSchema(
    { ...PRIVACY_SETTINGS, updated_ts: nullable(INTEGER), updated_date: nullable(STRING) },
    namesOf(PRIVACY_SETTINGS),
  ),
};
