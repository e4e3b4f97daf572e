/** The requests that Leadport sends, for the `webhooks` section of the description. */

import { type DescribedEvent, describedEventNames } from "../events/index.ts";
import type { RecordTypes } from "../records/types/index.ts";
import { type Document, exampleOf } from "./examples/index.ts";
import { asObject, type Json, type JsonObject } from "../platform/json/index.ts";

const WORDS: Readonly<Record<string, string>> = {
  created: "A record was created: by a request, an import or a conversion.",
  updated: "A field of a record changed.",
  status_changed: "The status of a record changed. An `updated` event is sent as well.",
  stage_changed: "The stage of a record changed. An `updated` event is sent as well.",
  converted: "A lead was converted into a contact. An `updated` event is sent as well.",
  deleted: "A record was deleted, or erased along with a person's data.",
  erased:
    "A person was erased. `changed_fields.records.old` lists the types and ids of the records.",
  merged: "A record was merged into another one.",
  restored: "A merge was undone: the merged record exists again under its id.",
  received: "A partner pushed a lead.",
  accepted: "A pushed lead was accepted.",
  rejected: "A pushed lead was rejected.",
  imported: "A pushed lead was imported.",
  expired: "A pushed lead expired.",
};

/** Events that have an example. All other events look similar. */
const EXAMPLES: readonly string[] = ["LeadStatusChangedEvent", "PartnerPushedLeadReceivedEvent"];

const header = (name: string, description: string, example: string) => ({
  name,
  in: "header",
  required: true,
  description,
  schema: { type: "string" },
  example,
});

/** The components that webhooks refer to. */
const PARTS = {
  parameters: {
    WebhookIdHeader: header(
      "webhook-id",
      "The id of the delivery, the same in every attempt. Ignore an id that you have already processed.",
      "6b015d8028512000a027a291",
    ),
    WebhookTimestampHeader: header(
      "webhook-timestamp",
      "The time of the attempt in epoch seconds. Reject requests older than five minutes.",
      "1795204800",
    ),
    WebhookSignatureHeader: {
      ...header(
        "webhook-signature",
        "A signature for each active secret, separated by spaces, as in Standard Webhooks.",
        "v1,VXF0jZ7tzG6p1olM0FvxBd0p4q3hNNMAGwQHGSey9cI=",
      ),
      required: false,
    },
  },
  responses: {
    WebhookAccepted: {
      description: "Return any 2xx status within 10 seconds to accept the request.",
    },
    WebhookGone: {
      description: "Return 410 to stop receiving events: the webhook is then disabled.",
    },
    WebhookFailed: {
      description: "Any other status: the request is sent again later, at most ten times in total.",
    },
  },
} as const;

const ref = (kind: string, name: string) => ({ $ref: `#/components/${kind}/${name}` });

const titleOf = (name: string): string => {
  const words = name.replaceAll(/[._]/g, " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
};

const RETRIED = ref("responses", "WebhookFailed");

const EVENT_RESPONSES = {
  "2XX": ref("responses", "WebhookAccepted"),
  410: ref("responses", "WebhookGone"),
  default: RETRIED,
};

/** Unlike event webhooks, the import webhook has its own timeout and stays enabled after a 410. */
const IMPORT_RESPONSES = {
  "2XX": {
    description: "Return any 2xx status within `timeout_s` seconds: the lead is then `imported`.",
  },
  410: {
    description:
      "Return 410 to end this delivery as `gone`: it is not sent again. The webhook stays enabled.",
  },
  default: RETRIED,
};

interface Sent {
  readonly id: string;
  readonly summary: string;
  readonly description: string;
  readonly tag: string;
  readonly schema: string;
  readonly example?: Json;
  readonly responses: typeof EVENT_RESPONSES | typeof IMPORT_RESPONSES;
}

const request = ({ id, summary, description, tag, schema, example, responses }: Sent) => ({
  post: {
    operationId: id,
    summary,
    description,
    tags: [tag],
    security: [],
    parameters: Object.keys(PARTS.parameters).map((name) => ref("parameters", name)),
    requestBody: {
      required: true,
      content: {
        "application/json": {
          schema: ref("schemas", schema),
          ...(example !== undefined && { examples: { example: { value: example } } }),
        },
      },
    },
    responses,
  },
});

function eventRequest({ name, schema, isPartners }: DescribedEvent, described: Described) {
  const word = name.split(".")[1] ?? "";
  const example = EXAMPLES.includes(schema) ? eventExample(schema, described) : undefined;
  return request({
    id: `on_${isPartners ? "partner_" : ""}${name.replace(".", "_")}`,
    summary: titleOf(name),
    description: WORDS[word] ?? "",
    tag: isPartners ? "partner exchange" : "event webhooks",
    schema,
    responses: EVENT_RESPONSES,
    ...(example !== undefined && { example }),
  });
}

/** Returns a typical event, without the members `test` and `reason`. They occur only in some events. */
function eventExample(schema: string, described: Described): Json {
  const { data, ...event } = asObject(exampleOf(described, ref("schemas", schema), schema));
  const { test: _, reason: __, ...told } = asObject(data);
  return { ...event, data: told };
}

type Described = Parameters<typeof exampleOf>[0];

/** Adds webhooks to a description: all requests that Leadport sends, or only the requests to partners. */
export function withWebhooks(
  document: Document,
  types: RecordTypes,
  isForPartners: boolean,
): Document {
  const { components } = document;
  const described = { schemas: components.schemas, types };
  const events = describedEventNames.filter(({ isPartners }) => isPartners || !isForPartners);
  const webhooks = events.map((event): [string, JsonObject] => [
    event.isPartners ? `partner.${event.name}` : event.name,
    eventRequest(event, described) as unknown as JsonObject,
  ]);
  const imports = request({
    id: "on_import_webhook",
    summary: "Import webhook",
    description:
      "A pushed lead is being imported. The body is rendered from `body_template`; the schema shown is that of the default template.",
    tag: "settings",
    schema: "ImportedLead",
    responses: IMPORT_RESPONSES,
    example: exampleOf(described, ref("schemas", "ImportedLead"), "ImportedLead"),
  });
  return {
    ...document,
    webhooks: {
      ...Object.fromEntries(webhooks),
      ...(!isForPartners && { import_webhook: imports }),
    },
    components: { ...components, ...PARTS },
  };
}
