/** Countries, currencies and time zones, named in the user's language. */

import { locale } from "../../text/index.ts";

export interface Choice {
  readonly value: string;
  readonly label: string;
}

const ALPHABET = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
/** Codes that browsers can name, but that do not stand for a country with its own phone numbers. */
const NO_COUNTRIES = new Set(["EU", "EZ", "UN", "XA", "XB", "ZZ", "QO", "AN", "CS", "DD", "SU"]);

const byLabel = (one: Choice, other: Choice) => one.label.localeCompare(other.label, locale);

/** Returns countries by two-letter code, sorted by name. */
export function countries(): Choice[] {
  const names = new Intl.DisplayNames(locale, { type: "region", fallback: "none" });
  return ALPHABET.flatMap((first) => ALPHABET.map((second) => first + second))
    .flatMap((value) => {
      const name = NO_COUNTRIES.has(value) ? undefined : names.of(value);
      return name === undefined ? [] : [{ value, label: `${name} (${value})` }];
    })
    .toSorted(byLabel);
}

/** Returns currencies by three-letter code, sorted by name. */
export function currencies(): Choice[] {
  const names = new Intl.DisplayNames(locale, { type: "currency" });
  return Intl.supportedValuesOf("currency")
    .map((value) => ({ value, label: `${names.of(value) ?? value} (${value})` }))
    .toSorted(byLabel);
}

/** Returns time zones by IANA name. */
export function timezones(): Choice[] {
  const names = new Set(["UTC", ...Intl.supportedValuesOf("timeZone")]);
  return [...names].map((value) => ({ value, label: value.replaceAll("_", " ") }));
}

/** Adds the current value to the choices if it is missing. */
export const withPresent = (choices: readonly Choice[], present: string): Choice[] =>
  choices.some(({ value }) => value === present)
    ? [...choices]
    : [{ value: present, label: present }, ...choices];
