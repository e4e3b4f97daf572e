/** Request and response schemas for reports, erasures and retention. */

import { bodyShape } from "../platform/operations/index.ts";
import { checker } from "../platform/validation/index.ts";
import {
  bodySchema,
  boolean,
  CREATED_TS,
  described,
  FINISHED_TS,
  integer,
  nullable,
  objectSchema,
  type Schemas,
  string,
  UPDATED_TS,
} from "../platform/schemas/index.ts";
import { namesOf } from "../platform/json/index.ts";
import { PRIVACY_SETTINGS } from "./privacy-settings.ts";
import { EFFECTS, REASONS, RECIPIENT_KINDS } from "./person/index.ts";

const STRING = { type: "string" } as const;
const INTEGER = { type: "integer" } as const;
const IDS = { type: "array", items: { type: "string", maxLength: 100 } } as const;

const compile = checker({});

const REPORT_REQUEST = {
  title: "PersonReportRequest",
  type: "object",
  additionalProperties: false,
  anyOf: [
    { required: ["email"], properties: { email: string("The email.") } },
    { required: ["phone"], properties: { phone: string("The phone number.") } },
  ],
  properties: {
    email: nullable(string("The email. It is not case-sensitive.", { maxLength: 254 })),
    phone: nullable(
      string(
        "The phone number. Without a country code, it is read as a number of the tenant's default country.",
        { maxLength: 50 },
      ),
    ),
  },
} as const;

const ERASE_REQUEST = bodySchema(
  "PersonEraseRequest",
  {
    report_id: string("The id of a report that is at most 24 hours old.", { maxLength: 100 }),
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
    dry_run: boolean("Return what would be erased, without changing anything."),
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

const RECIPIENTS = described(
  {
    type: "array",
    items: objectSchema({
      kind: string(
        "`sent_lead`: the partner pushed a lead about the person. `could_read`: the partner may read records of this source. " +
          "`event_webhook`, `import_webhook`: the webhook accepted a request.",
        { enum: RECIPIENT_KINDS },
      ),
      partner_id: nullable(string("The id of the partner; null for your own webhooks.")),
      partner_name: nullable(string("The name of the partner.")),
      webhook_id: nullable(string("The id of the event webhook.")),
      url: nullable(string("The URL that the requests were sent to.")),
      requests: nullable(integer("The number of requests that were accepted.")),
    }),
  } as const,
  "Partners and webhooks that received the person's data.",
);

const LEGAL_HOLDS = described(
  {
    type: "array",
    items: objectSchema({
      type: string("The record type.", { enum: ["invoice"] }),
      id: string("The id of the record."),
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

const DATA = {
  records: section("The records, each with its type."),
  pushed_leads: section("Leads that partners pushed."),
  merged_copies: section("Copies of merged records, stored so that merges can be undone."),
  history: section("The history of the records."),
  deliveries: section("Webhook requests about the records, with the responses."),
  rejected_rows: section("Rejected rows of imports."),
  stored_responses: section("Stored responses to requests with an `Idempotency-Key`."),
  attributions: section("The partners that the person is attributed to."),
};

const FOUND = objectSchema({
  type: string("A record type, `pushed_lead`, or `rejected_row`."),
  id: string("The id to send in `record_ids`."),
  name: nullable(string("The name of the record.")),
  version: {
    type: ["integer", "string", "null"],
    description:
      "The version. If it has changed when you erase the person, the erasure fails with 409.",
  },
  matched: described(
    { type: "array", items: { ...STRING, enum: REASONS } } as const,
    "Why the record was found.",
  ),
  effect: string(
    "`erase` removes the record. `clear` removes what identifies the person from it. `unlink` sets its reference " +
      "to the person to null; you do not need to choose it.",
    { enum: EFFECTS },
  ),
  merged_into: nullable(
    string("The id of the record that this one was merged into; null if it was not merged."),
  ),
});

const MENTION = objectSchema({
  type: string(
    "A record type, `pushed_lead`, `webhook`, `setting`, `import`, `user` or `partner`.",
  ),
  id: string("The id. You can send the id of a record in `review_ids`."),
  name: nullable(string("The name of the record.")),
  fields: described(
    { type: "array", items: STRING } as const,
    "The fields that mention the person.",
  ),
  kinds: described(
    { type: "array", items: { ...STRING, enum: ["email", "phone", "name"] } } as const,
    "The kinds of data that the fields mention.",
  ),
  in_history: boolean("Whether only the history mentions the person."),
});

const ERASURE = {
  id: string("The id of the erasure. A dry run stores no erasure."),
  report_id: string("The report that the records were chosen from."),
  state: string(
    "If it is `running`, the erasure continues in the background: get it again to see the result.",
    { enum: ["dry_run", "running", "done"] },
  ),
  records: {
    type: "array",
    items: objectSchema({
      type: string("A record type, `pushed_lead`, or `rejected_row`."),
      id: string("The id."),
      effect: string("The action taken: `erase`, `clear` or `review`."),
    }),
    description: "The erased records, including the old ids of merged records.",
  },
  counts: described(COUNTS, "The number of rows that were removed or changed, by table."),
  recipients: RECIPIENTS,
  legal_holds: LEGAL_HOLDS,
  created_ts: CREATED_TS,
  created_date: STRING,
  finished_ts: FINISHED_TS,
  finished_date: nullable(STRING),
} as const satisfies Schemas;

/** Named schemas in openapi.json. */
export const privacySchemas: Schemas = {
  PersonReportRequest: REPORT_REQUEST,
  PersonEraseRequest: ERASE_REQUEST,
  PrivacySettingsRequest: PRIVACY_REQUEST,
  PersonReport: objectSchema({
    report_id: string("The id of the report. Use it within 24 hours to erase the person."),
    created_ts: CREATED_TS,
    created_date: STRING,
    expires_ts: integer("When the report expires. Until then, you can use it to erase the person."),
    expires_date: STRING,
    searched: {
      type: "object",
      required: ["email", "phone"],
      description: "The email and phone number that were searched for.",
      properties: {
        email: nullable(string("The email in lowercase.")),
        phone: nullable(string("The number, as digits with the country code.")),
      },
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
    is_complete: boolean("False if a section of `data` was truncated."),
    data: {
      type: "object",
      required: namesOf(DATA),
      description: "Everything stored about the person.",
      properties: DATA,
    },
  }),
  PersonErasure: objectSchema(ERASURE),
  PrivacySettings: objectSchema(
    {
      ...PRIVACY_SETTINGS,
      updated_ts: nullable(UPDATED_TS),
      updated_date: nullable(STRING),
    },
    namesOf(PRIVACY_SETTINGS),
  ),
};
