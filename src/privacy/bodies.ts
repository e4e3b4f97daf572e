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
        description: "The email. It is not case-sensitive.",
      },
      phone: {
        ...nullable(STRING),
        maxLength: 50,
        description:
          "The phone number. Without a country code, it is read as a number of the tenant's default country.",
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
    report_id: {
      ...STRING,
      maxLength: 100,
      description: "The id of a report that is at most 24 hours old.",
    },
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
        "Ids of records in the report's `mentions`. The person's names, addresses and numbers in these records are replaced.",
    },
    dry_run: { ...BOOLEAN, description: "Return what would be erased, without changing anything." },
  },
  ["report_id", "record_ids"],
);

const PRIVACY_REQUEST = bodySchema("PrivacySettingsRequest", PRIVACY_SETTINGS, []);
/** Members returned with the settings. They are ignored if they are sent back. */
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
          "`sent_lead`: the partner pushed a lead about the person. `could_read`: the partner may read records of this source. " +
          "`event_webhook`, `import_webhook`: the webhook accepted a request.",
      },
      partner_id: described(nullable(STRING), "The id of the partner; null for your own webhooks."),
      partner_name: described(nullable(STRING), "The name of the partner."),
      webhook_id: described(nullable(STRING), "The id of the event webhook."),
      url: described(nullable(STRING), "The URL that the requests were sent to."),
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
      fields: described({ type: "array", items: STRING } as const, "The fields that are retained."),
    }),
  } as const,
  "Records that the law requires you to keep, and the fields that are retained in them.",
);

const COUNTS = { type: "object", additionalProperties: INTEGER } as const;

const section = (description: string) =>
  described(
    { type: "array", items: { type: "object", additionalProperties: true } } as const,
    description,
  );

const FOUND = objectSchema({
  type: described(STRING, "A record type, `pushed_lead`, or `rejected_row`."),
  id: described(STRING, "The id to send in `record_ids`."),
  name: described(nullable(STRING), "The name of the record."),
  version: {
    type: ["integer", "string", "null"],
    description:
      "The version. If it has changed when you erase the person, the erasure fails with 409.",
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
      "to the person to null; you do not need to choose it.",
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
  id: described(STRING, "The id. You can send the id of a record in `review_ids`."),
  name: described(nullable(STRING), "The name of the record."),
  fields: described(
    { type: "array", items: STRING } as const,
    "The fields that mention the person.",
  ),
  kinds: described(
    { type: "array", items: { ...STRING, enum: ["email", "phone", "name"] } } as const,
    "The kinds of data that the fields mention.",
  ),
  in_history: described(BOOLEAN, "Whether only the history mentions the person."),
});

const ERASURE = {
  id: described(STRING, "The id of the erasure. A dry run stores no erasure."),
  report_id: described(STRING, "The report that the records were chosen from."),
  state: {
    ...STRING,
    enum: ["dry_run", "running", "done"],
    description:
      "If it is `running`, the erasure continues in the background: get it again to see the result.",
  },
  records: {
    type: "array",
    items: objectSchema({
      type: described(STRING, "A record type, `pushed_lead`, or `rejected_row`."),
      id: described(STRING, "The id."),
      effect: described(STRING, "The action taken: `erase`, `clear` or `review`."),
    }),
    description: "The erased records, including the old ids of merged records.",
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
    report_id: described(
      STRING,
      "The id of the report. Use it within 24 hours to erase the person.",
    ),
    created_ts: INTEGER,
    created_date: STRING,
    expires_ts: described(
      INTEGER,
      "When the report expires. Until then, you can use it to erase the person.",
    ),
    expires_date: STRING,
    searched: {
      ...objectSchema({
        email: described(nullable(STRING), "The email in lowercase."),
        phone: described(nullable(STRING), "The number, as digits with the country code."),
      }),
      description: "The email and phone number that were searched for.",
    },
    records: { type: "array", items: FOUND, description: "The records that were found." },
    mentions: {
      type: "array",
      items: MENTION,
      description:
        "Other data that mentions the person, for you to review. It is changed only if you choose it.",
    },
    recipients: RECIPIENTS,
    legal_holds: LEGAL_HOLDS,
    counts: described(COUNTS, "The number of rows in each section of `data`."),
    is_complete: described(BOOLEAN, "False if a section of `data` was truncated."),
    data: {
      ...objectSchema({
        records: section("The records, each with its type."),
        pushed_leads: section("Leads that partners pushed."),
        merged_copies: section("Copies of merged records, stored so that merges can be undone."),
        history: section("The history of the records."),
        deliveries: section("Webhook requests about the records, with the responses."),
        rejected_rows: section("Rejected rows of imports."),
        stored_responses: section("Stored responses to requests with an `Idempotency-Key`."),
        attributions: section("The partners that the person is attributed to."),
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
