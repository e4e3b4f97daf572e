/** Schemas of events as they are sent. The code that sends events derives its types from these schemas. */

import { ACTOR_SCHEMA } from "../audit/index.ts";
import type { Schema } from "../platform/validation/index.ts";
import {
  boolean,
  integer,
  type Members,
  nullable,
  objectSchema,
  type Schemas,
  string,
} from "../platform/schemas/index.ts";
import { eventsByType, partnerEvents } from "./event-types.ts";
import {
  CHANGED_FIELDS,
  type EventType,
  FEED_ACTIONS,
  PERSON_ERASURE,
  PUSHED_LEAD,
} from "./feed.ts";
import { TYPE_FACTS } from "../records/types/index.ts";

/** The members that every event has. */
const ANY = {
  event_id: string(
    "The id of the event. A replay sends it again, so ignore ids that you have already processed.",
  ),
  record_id: string("The id of the record."),
  action: string("What happened to the record.", { enum: FEED_ACTIONS }),
} as const satisfies Schemas;

const TEST = {
  test: boolean("`true` in a test event, whose record does not exist."),
} as const satisfies Schemas;

/** Members that only events for tenants have. */
const CHANGE = {
  seq: nullable(
    integer(
      "The position of the change; a higher position is newer. Null for test events and old changes.",
    ),
  ),
  version: nullable(integer("The version of the record after the change; null for pushed leads.")),
  changed_fields: CHANGED_FIELDS,
} as const satisfies Schemas;

const REASON = {
  reason: string(
    "The more specific action in the audit log, if there is one, such as `converted`.",
  ),
} as const satisfies Schemas;

/** The data of an event, except for the record, which has a separate schema for each record type. */
export interface TenantEventData
  extends Members<typeof ANY>, Members<typeof CHANGE>, Partial<Members<typeof REASON>> {}
export interface PartnerEventData extends Members<typeof ANY> {}

const named = ($ref: string): Schema => ({ $ref: `${$ref}#` });

const tenantData = (record: Schema): Schema =>
  objectSchema(
    {
      ...ANY,
      ...CHANGE,
      ...REASON,
      record,
      actor: {
        anyOf: [ACTOR_SCHEMA, { type: "null" }],
        description: "Who made the change; null for test events.",
      },
      ...TEST,
    },
    [...Object.keys(ANY), ...Object.keys(CHANGE), "record", "actor"] as never[],
  );

const PARTNER_DATA = objectSchema(
  {
    ...ANY,
    pushed_lead: {
      ...named("PushedLead"),
      description: "The lead as it was when the request was created.",
    },
    ...TEST,
  },
  [...Object.keys(ANY), PUSHED_LEAD] as never[],
);

const envelope = (event: string, data: string): Schema =>
  objectSchema({
    type: string("The event.", { const: event }),
    timestamp: string("When the change was made.", { format: "date-time" }),
    data: { ...named(data), description: "The event data." },
  });

/** Converts `lead.status_changed` to `LeadStatusChanged`. */
const pascal = (text: string): string =>
  text.replaceAll(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase());

function recordSchema(type: EventType): Schema {
  if (type === PERSON_ERASURE) {
    return { type: "null", description: "Always null, because the person was erased." };
  }
  const name = type === PUSHED_LEAD ? "ReviewedLead" : `${TYPE_FACTS[type].schemaName}Response`;
  return {
    anyOf: [named(name), { type: "null" }],
    description: "The record as it was when the request was created; null if it no longer existed.",
  };
}

/** An event as described in openapi.json. */
export interface DescribedEvent {
  readonly name: string;
  /** The name of the payload's schema. */
  readonly schema: string;
  /** Whether the event is sent to partners instead of tenants. */
  readonly isPartners: boolean;
}

const TENANT_EVENTS: readonly (DescribedEvent & { readonly data: string })[] =
  eventsByType().flatMap(([type, names]) =>
    names.map((name) => ({
      name,
      schema: `${pascal(name)}Event`,
      data: `${pascal(type)}EventData`,
      isPartners: false,
    })),
  );

const PARTNER_EVENTS = partnerEvents.map((name) => ({
  name,
  schema: `Partner${pascal(name)}Event`,
  data: "PartnerPushedLeadEventData",
  isPartners: true,
}));

export const describedEventNames: readonly DescribedEvent[] = [...TENANT_EVENTS, ...PARTNER_EVENTS];

/** The schemas of event payloads, keyed by their names in openapi.json. */
export const payloadSchemas: Schemas = {
  ...Object.fromEntries(
    eventsByType().map(([type]) => [`${pascal(type)}EventData`, tenantData(recordSchema(type))]),
  ),
  PartnerPushedLeadEventData: PARTNER_DATA,
  ...Object.fromEntries(
    [...TENANT_EVENTS, ...PARTNER_EVENTS].map(({ name, schema, data }) => [
      schema,
      envelope(name, data),
    ]),
  ),
};
