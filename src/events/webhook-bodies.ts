/** Bodies of requests and responses of event webhooks, as schemas with what JSON Schema cannot express. */

import { SECRETS_SCHEMA } from "../delivery/index.ts";
import { ValidationError, type Issue } from "../platform/errors/index.ts";
import type { Json, JsonObject } from "../platform/json/index.ts";
import {
  checker,
  momentOf,
  type Schema,
  valueError,
  withSecret,
} from "../platform/validation/index.ts";
import type { BodyShape } from "../platform/operations/index.ts";
import { urlFault } from "../platform/outgoing/index.ts";
import { compileMatching, type CountryCode } from "../records/index.ts";
import { PARTNER_SUBSCRIPTIONS, soleTypeOf, SUBSCRIPTIONS } from "./event-types.ts";
import { DISABLED_REASONS, type WebhookSettings } from "./webhook-row.ts";

const URL_MAX = 2048;
const DESCRIPTION_MAX = 500;

/** What is sent to a webhook may be said by a tenant and by a partner; a filter by a tenant alone. */
const settings = (subscriptions: readonly string[]): Readonly<Record<string, Schema>> => ({
  events: {
    type: "array",
    minItems: 1,
    maxItems: subscriptions.length,
    items: { type: "string", enum: subscriptions },
    description: "What to be told: an event, all of a type, or all. See docs/event-webhooks.md.",
  },
  url: {
    type: "string",
    minLength: 1,
    maxLength: URL_MAX,
    description: "https, and no private address.",
    "x-rule": ["url", null],
  },
  description: { type: ["string", "null"], maxLength: DESCRIPTION_MAX },
  enabled: { type: ["boolean", "null"], description: "True where it is not said." },
});

const FILTER: Readonly<Record<string, Schema>> = {
  filter: {
    type: ["object", "null"],
    description:
      "A filter as in match_filter_dict, over the one record type that all events are about.",
  },
};

const request = (title: string, properties: Readonly<Record<string, Schema>>): Schema => ({
  title,
  type: "object",
  properties,
  required: ["url", "events"],
  additionalProperties: false,
});

/** What GET returns in addition to the settings: sent back with them it is ignored (D1.7). */
const READ_ONLY = [
  "id",
  "disabled_reason",
  "secrets",
  "replay",
  "created_ts",
  "created_date",
  "updated_ts",
  "updated_date",
] as const;

/** In a change null stands for what is not said. */
function update(title: string, properties: Readonly<Record<string, Schema>>): Schema {
  const { url, events } = properties;
  return {
    title,
    type: "object",
    properties: {
      ...properties,
      url: { ...url, type: ["string", "null"] },
      events: { ...events, type: ["array", "null"] },
      ...Object.fromEntries(READ_ONLY.map((name) => [name, { description: "Ignored." }])),
    },
    additionalProperties: false,
  };
}

const moment: Schema = {
  type: ["number", "string"],
  description: "ISO 8601 in UTC, or epoch seconds.",
  "x-rule": ["moment", null],
};

const TENANT = { ...settings(SUBSCRIPTIONS), ...FILTER };
/** A partner's webhook shows that it has no filter, and may be sent back with it. */
const NO_FILTER: Schema = { type: "null", description: "Partners have none." };
const PARTNER = { ...settings(PARTNER_SUBSCRIPTIONS), filter: NO_FILTER };

const SCHEMAS = {
  create: request("EventWebhookRequest", TENANT),
  update: update("EventWebhookUpdateRequest", TENANT),
  partnerCreate: request("PartnerWebhookRequest", PARTNER),
  partnerUpdate: update("PartnerWebhookUpdateRequest", PARTNER),
  replay: {
    title: "EventReplayRequest",
    type: "object",
    properties: { start_date: moment, end_date: moment },
    required: ["start_date", "end_date"],
    additionalProperties: false,
  },
  nothing: {
    title: "EventWebhookActRequest",
    type: "object",
    properties: {},
    additionalProperties: false,
  },
} as const satisfies Readonly<Record<string, Schema>>;

export type EventShapes = Readonly<Record<keyof typeof SCHEMAS, BodyShape>>;

/** What an installation lets be reached although private (D9.6), by tenants and by partners. */
export interface Allowed {
  readonly allow: readonly string[];
  readonly partnerAllow: readonly string[];
}

/** The shapes of bodies. What is open to a tenant is not for that open to its partners. */
export function eventShapes({ allow, partnerAllow }: Allowed): EventShapes {
  const [compile, compilePartners] = [checkerFor(allow), checkerFor(partnerAllow)];
  return Object.fromEntries(
    Object.entries(SCHEMAS).map(([name, schema]) => {
      const check = (name.startsWith("partner") ? compilePartners : compile)(schema);
      const shape = { name: schema.title, schema, check };
      return [name, name.endsWith("pdate") ? { ...shape, isEmpty: saysNothing } : shape];
    }),
  ) as EventShapes;
}

const checkerFor = (allow: readonly string[]) =>
  checker({
    url: (value: Json) => {
      const fault = typeof value === "string" ? urlFault(value, { allow }) : undefined;
      return fault === undefined ? [] : [valueError(fault)];
    },
    moment: (value: Json) =>
      typeof value === "string" && momentOf(value) === undefined
        ? [valueError("an ISO date is YYYY-MM-DDTHH:MM:SSZ or YYYY-MM-DD")]
        : [],
  });

/** null clears a filter and a description, and of the others says nothing (D1.8). */
const CLEARED: ReadonlySet<string> = new Set(["filter", "description"]);

const IGNORED: ReadonlySet<string> = new Set(READ_ONLY);

/** What a checked body sets; an event that is named twice is one. */
export function saidIn(body: JsonObject): Partial<WebhookSettings> {
  const { events, ...others } = Object.fromEntries(membersSaid(body)) as Partial<WebhookSettings>;
  return { ...others, ...(events && { events: [...new Set(events)] }) };
}

const membersSaid = (body: JsonObject) =>
  Object.entries(body).filter(
    ([name, value]) => (value !== null || CLEARED.has(name)) && !IGNORED.has(name),
  );

/** Asked before the body is checked: its members may be of any type. */
const saysNothing = (body: JsonObject): boolean => membersSaid(body).length === 0;

/** What is wrong with a filter where these are the events; nothing where none is given. */
export function filterIssues(
  { filter, events }: Pick<WebhookSettings, "filter" | "events">,
  country: CountryCode,
): readonly Issue[] {
  if (filter === null) return [];
  const loc = ["body", "filter"];
  const type = soleTypeOf(events);
  if (type === undefined) {
    const msg = "Value error, a filter needs events of one record type: lead.*, deal.created, …";
    return [{ type: "value_error", loc, msg, input: filter }];
  }
  try {
    compileMatching({ type, filter, country });
    return [];
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    return error.issues.map((issue) => ({ ...issue, loc, input: filter }));
  }
}

const stamp = { type: "integer", description: "Epoch seconds." };
const iso = { type: "string", format: "date-time" };
const MAYBE_ISO = { type: ["string", "null"], format: "date-time" };

const shape = (properties: Readonly<Record<string, Schema>>): Schema => ({
  type: "object",
  properties,
  required: Object.keys(properties),
});

const REPLAY = shape({
  start_date: iso,
  end_date: iso,
  changes: { type: "integer", description: "Of the subscribed types in the range." },
  events: { type: "integer", description: "Promised again until now." },
  created_date: iso,
  finished_date: MAYBE_ISO,
});

const TOLD: Readonly<Record<string, Schema>> = {
  id: { type: "string" },
  url: { type: "string" },
  events: { type: "array", items: { type: "string" } },
  filter: { type: ["object", "null"], additionalProperties: true },
  description: { type: ["string", "null"] },
  enabled: { type: "boolean" },
  disabled_reason: {
    type: ["string", "null"],
    enum: [...DISABLED_REASONS, null],
    description: "Why the service switched it off by itself.",
  },
  secrets: SECRETS_SCHEMA,
  created_ts: stamp,
  created_date: iso,
  updated_ts: stamp,
  updated_date: iso,
};

const WEBHOOK: Schema = {
  ...shape(TOLD),
  properties: {
    ...TOLD,
    replay: {
      anyOf: [{ $ref: "EventReplay#" }, { type: "null" }],
      description: "The newest one, where the webhook is read alone.",
    },
  },
};

/** Schemas that openapi.json prints by name. */
export const eventWebhookSchemas: Readonly<Record<string, Schema>> = {
  ...Object.fromEntries(Object.values(SCHEMAS).map((schema) => [schema.title, schema])),
  EventReplay: REPLAY,
  EventWebhook: WEBHOOK,
  EventWebhookCreated: withSecret(WEBHOOK, "secret", "Signs what is sent to the webhook."),
};
