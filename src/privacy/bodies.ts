/** Request and response schemas for reports, erasures and retention. */

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
/** Members that are returned with the settings, and ignored if they are sent back. */
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

const described = <S extends object>(schema: S, description: string) => ({
  ...schema,
  description,
});

const RECIPIENTS = described(
  {
    type: "array",
    items: objectSchema({
      kind: {
        ...STRING,
        enum: RECIPIENT_KINDS,
        description:
          "`sent_lead`: the partner pushed the person. `could_read`: the partner may read records of this source. " +
          "`event_webhook`, `import_webhook`: a request was accepted there.",
      },
      partner_id: described(nullable(STRING), "The id of the partner; null for your own webhooks."),
      partner_name: described(nullable(STRING), "The name of the partner."),
      webhook_id: described(nullable(STRING), "The id of the event webhook."),
      url: described(nullable(STRING), "Where the requests were sent."),
      requests: described(nullable(INTEGER), "The number of requests that were accepted."),
    }),
  } as const,
  "Partners and webhooks that received the person's data.",
);

const LEGAL_HOLDS = described(
  {
    type: "array",
    items: objectSchema({
      type: described({ ...STRING, enum: ["invoice"] } as const, "The record type."),
      id: described(STRING, "The id of the record."),
      fields: described({ type: "array", items: STRING } as const, "The fields that stay."),
    }),
  } as const,
  "Records that the law requires you to keep, and the fields that stay in them.",
);

const COUNTS = { type: "object", additionalProperties: INTEGER } as const;

const section = (description: string) =>
  described(
    { type: "array", items: { type: "object", additionalProperties: true } } as const,
    description,
  );

const FOUND = objectSchema({
  type: described(STRING, "A record type, `pushed_lead`, or `rejected_row`."),
  id: described(STRING, "The id, for `record_ids`."),
  name: described(nullable(STRING), "The name of the record."),
  version: {
    type: ["integer", "string", "null"],
    description: "If it differs when you erase the person, the record was changed.",
  },
  matched: described(
    { type: "array", items: { ...STRING, enum: REASONS } } as const,
    "Why the record was found.",
  ),
  effect: {
    ...STRING,
    enum: EFFECTS,
    description:
      "`erase` removes the record. `clear` removes what identifies the person from it. `unlink` sets its reference " +
      "to the person to null; you need not choose it.",
  },
  merged_into: described(
    nullable(STRING),
    "The id of the record that this one was merged into; null if it was not merged.",
  ),
});

const MENTION = objectSchema({
  type: described(
    STRING,
    "A record type, `pushed_lead`, `webhook`, `setting`, `import`, `user` or `partner`.",
  ),
  id: described(STRING, "The id. That of a record can be sent in `review_ids`."),
  name: described(nullable(STRING), "The name of the record."),
  fields: described(
    { type: "array", items: STRING } as const,
    "The fields that mention the person.",
  ),
  kinds: described(
    { type: "array", items: { ...STRING, enum: ["email", "phone", "name"] } } as const,
    "What they mention.",
  ),
  in_history: described(BOOLEAN, "Whether only the history mentions the person."),
});

const ERASURE = {
  id: described(STRING, "The id of the erasure. A dry run stores no erasure."),
  report_id: described(STRING, "The report that the records were chosen from."),
  state: {
    ...STRING,
    enum: ["dry_run", "running", "done"],
    description: "If it is `running`, the rest is done in the background: read the erasure again.",
  },
  records: {
    type: "array",
    items: objectSchema({
      type: described(STRING, "A record type, `pushed_lead`, or `rejected_row`."),
      id: described(STRING, "The id."),
      effect: described(STRING, "What was done: `erase`, `clear`, or `review`."),
    }),
    description: "What was erased, with the old ids of merged records.",
  },
  counts: described(COUNTS, "The number of rows that were removed or changed, by table."),
  recipients: RECIPIENTS,
  legal_holds: LEGAL_HOLDS,
  created_ts: INTEGER,
  created_date: STRING,
  finished_ts: nullable(INTEGER),
  finished_date: nullable(STRING),
} as const satisfies Schemas;

/** Named schemas in openapi.json. */
export const privacySchemas: Schemas = {
  PersonReportRequest: REPORT_REQUEST,
  PersonEraseRequest: ERASE_REQUEST,
  PrivacySettingsRequest: PRIVACY_REQUEST,
  PersonReport: objectSchema({
    report_id: described(STRING, "The id of the report, for an erasure within 24 hours."),
    created_ts: INTEGER,
    created_date: STRING,
    expires_ts: described(INTEGER, "Until when the person can be erased with this report."),
    expires_date: STRING,
    searched: {
      ...objectSchema({
        email: described(nullable(STRING), "The email, in lower case."),
        phone: described(nullable(STRING), "The number, as digits with the country code."),
      }),
      description: "What was searched for.",
    },
    records: { type: "array", items: FOUND, description: "The records that were found." },
    mentions: {
      type: "array",
      items: MENTION,
      description:
        "What else mentions the person: for review, nothing in it is changed unless you choose it.",
    },
    recipients: RECIPIENTS,
    legal_holds: LEGAL_HOLDS,
    counts: described(COUNTS, "The number of rows in each section of `data`."),
    is_complete: described(BOOLEAN, "False if a section of `data` was cut off."),
    data: {
      ...objectSchema({
        records: section("The records, each with its type."),
        pushed_leads: section("What partners pushed."),
        merged_copies: section("Copies of merged records, which undoing a merge needs."),
        history: section("The history of the records."),
        deliveries: section("Webhook requests about the records, with the responses."),
        rejected_rows: section("Rejected rows of imports."),
        stored_responses: section("Stored responses to requests with an `Idempotency-Key`."),
        attributions: section("Which partner brought the person."),
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
