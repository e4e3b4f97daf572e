/** A tenant's members and settings, and their valid values. */

import { isSupportedCountry } from "libphonenumber-js/min";
import { type JsonObject, namesOf } from "../platform/json/index.ts";
import {
  CREATED_TS,
  described,
  type Schemas,
  string,
  UPDATED_TS,
} from "../platform/schemas/index.ts";

/**
 * What happens when a new record has the same email or phone number as an existing one: create
 * another record, fail with 409, return the existing record, or update it.
 */
export const ON_DUPLICATE = ["allow", "reject", "return", "update"] as const;
export type OnDuplicate = (typeof ON_DUPLICATE)[number];

/** The settings that a PATCH can change. Each is a column of `tenants`. */
export const SETTINGS = {
  name: string("The name.", { minLength: 1, maxLength: 200 }),
  default_country: string("The country of phone numbers without a country code, such as US."),
  timezone: string("An IANA name, such as Europe/Paris."),
  currency: string("An ISO 4217 code, such as USD."),
  on_duplicate: string(
    "What happens when a record is created with an existing email or phone number, unless " +
      "the request has `on_duplicate`.",
    { enum: ON_DUPLICATE },
  ),
} as const satisfies Schemas;

export const SETTING_NAMES = namesOf(SETTINGS);

/** The members of a tenant in responses. */
export const TENANT = {
  id: string("The id of the tenant."),
  handle: string(
    "Identifies the tenant on the command line. Unique in the installation; never changes.",
  ),
  ...SETTINGS,
  name: string("The name of the tenant. Not unique."),
  timezone: described(SETTINGS.timezone, "The time zone, an IANA name such as Europe/Paris."),
  currency: described(SETTINGS.currency, "The currency of amounts, an ISO 4217 code such as USD."),
  created_ts: CREATED_TS,
  updated_ts: UPDATED_TS,
  created_date: { type: "string" },
  updated_date: { type: "string" },
} as const satisfies Schemas;

/** Validates settings. For each invalid setting, returns a description of the expected value. */
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

/** The expected format of a time zone, for error messages. */
export const TIMEZONE = "time zone's name, such as Europe/Paris";
/**
 * Matches UTC, or an area and a location. Offsets such as +02:00 ignore daylight saving time, and abbreviations such as
 * CET are ambiguous.
 */
const TIMEZONE_FORM = /^(?:UTC|[A-Za-z]+(?:\/[\w+-]+)+)$/;

/** Whether a string is UTC or a current or former name in the IANA time zone database. */
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
