/** Request and response bodies of event webhooks: schemas, and the rules that JSON Schema cannot express. */

import { ValidationError, type Issue } from "../platform/errors/index.ts";
import { givenIn, type Json, type JsonObject, namesOf, pick } from "../platform/json/index.ts";
import { checker, momentFaults, valueError } from "../platform/validation/index.ts";
import {
  bodySchema,
  boolean,
  nullable,
  objectSchema,
  type Schemas,
  string,
  type Typed,
  withSecret,
} from "../platform/schemas/index.ts";
import { bodyShape } from "../platform/operations/index.ts";
import { urlFault, type UrlRule } from "../platform/outgoing/index.ts";
import type { Scope } from "../audit/index.ts";
import { compileMatching } from "../records/filter/index.ts";
import type { CountryCode } from "../records/contact-details/index.ts";
import { typeOf } from "../records/types/index.ts";
import { PARTNER_SUBSCRIPTIONS, soleTypeOf, SUBSCRIPTIONS } from "./event-types.ts";
import { REPLAY } from "./replay.ts";
import { ADDED, WEBHOOK, type WebhookSettings } from "./webhook-row.ts";

const URL_MAX = 2048;
const DESCRIPTION_MAX = 500;

/** Returns the schemas of a webhook's settings, except the filter, which only tenants can set. */
const settings = (subscriptions: readonly string[]) =>
  ({
    events: {
      type: "array",
      minItems: 1,
      maxItems: subscriptions.length,
      items: { type: "string", enum: subscriptions },
      description:
        "The events to send: single events, all events of a type (`lead.*`), or all events (`*`). See " +
        "docs/event-webhooks.md.",
    },
    url: string("An https URL with a public address.", {
      minLength: 1,
      maxLength: URL_MAX,
      "x-rule": ["url", null],
    }),
    description: nullable(string("A note for yourself.", { maxLength: DESCRIPTION_MAX })),
    enabled: nullable(boolean("Whether events are sent. Default: true.")),
  }) as const satisfies Schemas;

const FILTER = {
  type: ["object", "null"],
  description:
    "A filter in the format of `match_filter_dict`. All events must be about the same record type.",
} as const;
const NO_FILTER = { type: "null", description: "Always null for partners." } as const;

const TENANT = { ...settings(SUBSCRIPTIONS), filter: FILTER };
const PARTNER = { ...settings(PARTNER_SUBSCRIPTIONS), filter: NO_FILTER };

/**
 * Members that GET returns in addition to the settings. Requests may also contain them, but they are removed before the
 * handler runs.
 */
const READ_ONLY: readonly string[] = ["id", "replay", ...namesOf(ADDED)];
const IGNORED: object = Object.fromEntries(
  READ_ONLY.map((name) => [name, { description: "Set by Leadport. Ignored in request bodies." }]),
);

/** In a PATCH, `url` and `events` can be null, which counts as not sent. */
const changes = <P extends typeof PARTNER | typeof TENANT>({ url, events, ...others }: P) => ({
  ...others,
  url: { ...url, type: ["string", "null"] } as const,
  events: { ...events, type: ["array", "null"] } as const,
  ...IGNORED,
});

const MOMENT = {
  type: ["number", "string"],
  description: "The time: ISO 8601 in UTC, or epoch seconds.",
  "x-rule": ["moment", null],
} as const;

const REQUIRED = ["url", "events"] as const;
const CREATE = bodySchema("EventWebhookRequest", TENANT, REQUIRED);
const UPDATE = bodySchema("EventWebhookUpdateRequest", changes(TENANT), []);
const PARTNER_CREATE = bodySchema("PartnerWebhookRequest", PARTNER, REQUIRED);
const PARTNER_UPDATE = bodySchema("PartnerWebhookUpdateRequest", changes(PARTNER), []);
const REPLAY_REQUEST = bodySchema("EventReplayRequest", { start_date: MOMENT, end_date: MOMENT });
const ACT_REQUEST = bodySchema("EventWebhookActRequest", {});

export type WebhookRequest = Typed<typeof CREATE>;
export type ReplayRequest = Typed<typeof REPLAY_REQUEST>;
export type WebhookUpdate = Typed<typeof UPDATE>;
export type EventShapes = ReturnType<typeof eventShapes>;

/** Private hosts, addresses and ranges that the webhooks of tenants and partners may reach. */
export interface Allowed {
  readonly allow: readonly string[];
  readonly partnerAllow: readonly string[];
}

/** Returns the schemas of request bodies. Partners may not use the private addresses that their tenant may use. */
export function eventShapes({ allow, partnerAllow }: Allowed) {
  const compile = checkerFor({ allow });
  const compilePartners = checkerFor({ allow: partnerAllow, by: "partner" });
  return {
    create: bodyShape(CREATE, compile),
    update: { ...bodyShape(UPDATE, compile), isEmpty: setsNothing },
    partnerCreate: bodyShape(PARTNER_CREATE, compilePartners),
    partnerUpdate: { ...bodyShape(PARTNER_UPDATE, compilePartners), isEmpty: setsNothing },
    replay: bodyShape(REPLAY_REQUEST, compile),
    nothing: bodyShape(ACT_REQUEST, compile),
  };
}

const checkerFor = (rule: UrlRule) =>
  checker({
    url: (value: Json) => {
      const fault = typeof value === "string" ? urlFault(value, rule) : undefined;
      return fault === undefined ? [] : [valueError(fault)];
    },
    moment: momentFaults,
  });

/** Null clears these settings. Any other setting that is null counts as not sent. */
const CLEARED = ["filter", "description"] as const;

/** Returns the settings in a validated body, without repeated events. */
export function settingsIn(body: WebhookRequest | WebhookUpdate): Partial<WebhookSettings> {
  const { events, ...others } = givenIn(pick(body, ["url", "enabled", "events"]));
  return { ...others, ...pick(body, CLEARED), ...(events && { events: [...new Set(events)] }) };
}

/** Whether a body changes no setting. This is called before the body is validated, so its members may have any type. */
const setsNothing = (body: JsonObject): boolean =>
  Object.entries(body).every(
    ([name, value]) =>
      READ_ONLY.includes(name) || (value === null && !CLEARED.some((cleared) => cleared === name)),
  );

/** Returns the problems that a filter has with these events. Returns none if there is no filter. */
export function filterIssues(
  scope: Scope,
  { filter, events }: Pick<WebhookSettings, "filter" | "events">,
  country: CountryCode,
): readonly Issue[] {
  if (filter === null) return [];
  const loc = ["body", "filter"];
  const name = soleTypeOf(events);
  if (name === undefined) {
    const msg =
      "Value error, a filter requires events of a single record type, such as lead.* or deal.created";
    return [{ type: "value_error", loc, msg, input: filter }];
  }
  try {
    compileMatching({ type: typeOf(scope, name), filter, country });
    return [];
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    return error.issues.map((issue) => ({ ...issue, loc, input: filter }));
  }
}

const SHOWN = objectSchema(WEBHOOK);
const SHOWN_WITH_REPLAY = {
  ...SHOWN,
  properties: {
    ...WEBHOOK,
    replay: {
      anyOf: [{ $ref: "EventReplay#" }, { type: "null" }],
      description: "The newest replay. Not in lists.",
    },
  },
};

const REQUESTS = [CREATE, UPDATE, PARTNER_CREATE, PARTNER_UPDATE, REPLAY_REQUEST, ACT_REQUEST];

/** The schemas of webhook operations, keyed by their names in openapi.json. */
export const eventWebhookSchemas: Schemas = {
  ...Object.fromEntries(REQUESTS.map((schema) => [schema.title, schema])),
  EventReplay: objectSchema(REPLAY),
  EventWebhook: SHOWN_WITH_REPLAY,
  EventWebhookCreated: withSecret(
    SHOWN_WITH_REPLAY,
    "secret",
    "The secret that signs requests to the webhook.",
  ),
};
