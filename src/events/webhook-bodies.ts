/** What is sent and returned of event webhooks, as schemas with what JSON Schema cannot say. */

import { ValidationError, type Issue } from "../platform/errors/index.ts";
import { givenIn, type Json, type JsonObject, namesOf, pick } from "../platform/json/index.ts";
import {
  bodySchema,
  checker,
  momentOf,
  objectSchema,
  type Schemas,
  type Typed,
  valueError,
  withSecret,
} from "../platform/validation/index.ts";
import { bodyShape } from "../platform/operations/index.ts";
import { urlFault, type UrlRule } from "../platform/outgoing/index.ts";
import { compileMatching, type CountryCode } from "../records/index.ts";
import { PARTNER_SUBSCRIPTIONS, soleTypeOf, SUBSCRIPTIONS } from "./event-types.ts";
import { REPLAY } from "./replay.ts";
import { ADDED, WEBHOOK, type WebhookSettings } from "./webhook-row.ts";

const URL_MAX = 2048;
const DESCRIPTION_MAX = 500;

/** What tenants and partners decide of a webhook; a filter is a tenant's alone. */
const settings = (subscriptions: readonly string[]) =>
  ({
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
  }) as const satisfies Schemas;

const FILTER = {
  type: ["object", "null"],
  description:
    "A filter as in match_filter_dict, over the one record type that all events are about.",
} as const;
const NO_FILTER = { type: "null", description: "Partners have none." } as const;

const TENANT = { ...settings(SUBSCRIPTIONS), filter: FILTER };
const PARTNER = { ...settings(PARTNER_SUBSCRIPTIONS), filter: NO_FILTER };

/** What GET returns beside the settings: sent back with them it is ignored. The handler does not see it. */
const READ_ONLY: readonly string[] = ["id", "replay", ...namesOf(ADDED)];
const IGNORED: object = Object.fromEntries(
  READ_ONLY.map((name) => [name, { description: "Ignored." }]),
);

/** In a change null stands for what is not said. */
const changes = <P extends typeof PARTNER | typeof TENANT>({ url, events, ...others }: P) => ({
  ...others,
  url: { ...url, type: ["string", "null"] } as const,
  events: { ...events, type: ["array", "null"] } as const,
  ...IGNORED,
});

const MOMENT = {
  type: ["number", "string"],
  description: "ISO 8601 in UTC, or epoch seconds.",
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

/** What an installation lets be reached although private, by tenants and by partners. */
export interface Allowed {
  readonly allow: readonly string[];
  readonly partnerAllow: readonly string[];
}

/** The shapes of bodies. What is open to a tenant is not for that open to its partners. */
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
    moment: (value: Json) =>
      typeof value === "string" && momentOf(value) === undefined
        ? [valueError("an ISO date is YYYY-MM-DDTHH:MM:SSZ or YYYY-MM-DD")]
        : [],
  });

/** null clears them, and of the others says nothing. */
const CLEARED = ["filter", "description"] as const;

/** What a checked body sets; an event that is named twice is one. */
export function settingsIn(body: WebhookRequest | WebhookUpdate): Partial<WebhookSettings> {
  const { events, ...others } = givenIn(pick(body, ["url", "enabled", "events"]));
  return { ...others, ...pick(body, CLEARED), ...(events && { events: [...new Set(events)] }) };
}

/** Asked before the body is checked: its members may be of any type. */
const setsNothing = (body: JsonObject): boolean =>
  Object.entries(body).every(
    ([name, value]) =>
      READ_ONLY.includes(name) || (value === null && !CLEARED.some((cleared) => cleared === name)),
  );

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

const SHOWN = objectSchema(WEBHOOK);
const SHOWN_WITH_REPLAY = {
  ...SHOWN,
  properties: {
    ...WEBHOOK,
    replay: {
      anyOf: [{ $ref: "EventReplay#" }, { type: "null" }],
      description: "The newest one, where the webhook is read alone.",
    },
  },
};

const REQUESTS = [CREATE, UPDATE, PARTNER_CREATE, PARTNER_UPDATE, REPLAY_REQUEST, ACT_REQUEST];

/** Schemas that openapi.json prints by name. */
export const eventWebhookSchemas: Schemas = {
  ...Object.fromEntries(REQUESTS.map((schema) => [schema.title, schema])),
  EventReplay: objectSchema(REPLAY),
  EventWebhook: SHOWN_WITH_REPLAY,
  EventWebhookCreated: withSecret(
    SHOWN_WITH_REPLAY,
    "secret",
    "Signs what is sent to the webhook.",
  ),
};
