/** A tenant as it is stored and returned, what of it may be set, and which values are valid. */

import { isSupportedCountry } from "libphonenumber-js/min";
import { type JsonObject, namesOf } from "../platform/json/index.ts";
import type { Schemas } from "../platform/validation/index.ts";

/**
 * What a creation does where there is a record of that address or number already: make another one,
 * refuse (409), answer the one that is there, or change that one.
 */
export const ON_DUPLICATE = ["allow", "reject", "return", "update"] as const;
export type OnDuplicate = (typeof ON_DUPLICATE)[number];

/** The settings as a PATCH takes them; each is a column of `tenants`. */
export const SETTINGS = {
  name: { type: "string", minLength: 1, maxLength: 200 },
  default_country: { type: "string", description: "Where phone numbers are read, such as US." },
  timezone: { type: "string", description: "An IANA name, such as Europe/Paris." },
  currency: { type: "string", description: "An ISO 4217 code, such as USD." },
  on_duplicate: {
    type: "string",
    enum: ON_DUPLICATE,
    description: "What a creation does with somebody who is known, where it does not say it.",
  },
} as const satisfies Schemas;

export const SETTING_NAMES = namesOf(SETTINGS);

const undescribed = <P extends Schemas>(members: P): P =>
  Object.fromEntries(
    Object.entries(members).map(([name, schema]) => {
      const { description: _, ...rest } = schema;
      return [name, rest];
    }),
  ) as P;

/** A tenant as it is returned. */
export const TENANT = {
  id: { type: "string" },
  handle: {
    type: "string",
    description:
      "Addresses the tenant on the command line. Unique in the installation; never changes.",
  },
  ...undescribed(SETTINGS),
  name: { type: "string", description: "Not unique: other tenants may have it, too." },
  created_ts: { type: "integer" },
  updated_ts: { type: "integer" },
  created_date: { type: "string" },
  updated_date: { type: "string" },
} as const satisfies Schemas;

/** What is wrong with a tenant's settings, by setting; empty where nothing is. */
export function settingFaults(settings: JsonObject): Readonly<Record<string, string>> {
  const known: Readonly<Record<string, readonly [(text: string) => boolean, string]>> = {
    default_country: [isSupportedCountry, "a country's two-letter code, such as US"],
    timezone: [isTimezone, `a ${TIMEZONE}`],
    currency: [(text) => CURRENCIES.has(text), "a currency's three-letter code, such as USD"],
  };
  return Object.fromEntries(
    Object.entries(known).flatMap(([name, [isKnown, wanted]]) => {
      const value = settings[name];
      return typeof value !== "string" || isKnown(value) ? [] : [[name, wanted]];
    }),
  );
}

/** What such a name is called in a refusal. */
export const TIMEZONE = "time zone's name, such as Europe/Paris";
/** Area and place: an offset such as +02:00 has no summer, and CET means several things. */
const TIMEZONE_FORM = /^(?:UTC|[A-Za-z]+(?:\/[\w+-]+)+)$/;

/** Whether it names a time zone of the IANA database, by a present name or an earlier one, or UTC. */
export function isTimezone(text: string): boolean {
  if (!TIMEZONE_FORM.test(text)) return false;
  try {
    Intl.DateTimeFormat("en", { timeZone: text });
    return true;
  } catch {
    return false;
  }
}

const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf("currency"));
