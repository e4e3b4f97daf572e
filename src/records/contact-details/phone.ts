/**
 * Phone numbers as stored and compared: digits with country code, regardless of how they were entered. Numbers must be
 * possible but need not be assigned, because people use fictitious 555 numbers, and numbering plans change faster than
 * installations are updated.
 */

// The "min" metadata contains lengths, formats, and the differences between countries that share a calling code. The
// larger sets add number types (mobile, toll-free …), which are not needed here.
import {
  getCountryCallingCode,
  isSupportedCountry,
  Metadata,
  parsePhoneNumberFromString,
  type CountryCode,
  type PhoneNumber,
} from "libphonenumber-js/min";
import metadata from "libphonenumber-js/min/metadata";
import { remember } from "../../platform/cache/index.ts";

export type { CountryCode };

/** An entry of `phone_list`. `country` and `formatted_phone` are null if `phone` is not a valid number. */
export interface PhoneEntry {
  readonly type: "Main";
  readonly phone: string;
  readonly country: string | null;
  readonly formatted_phone: string | null;
}

/**
 * Returns the entry for a number as sent, parsed as a number in `country`. `formatted_phone` includes the extension,
 * but `phone` does not. A string that is not a number is stored as sent.
 */
export function phoneEntry(text: string, country: CountryCode): PhoneEntry {
  const number = parsePhone(text, country);
  if (number === undefined) {
    return { type: "Main", phone: text, country: null, formatted_phone: null };
  }
  return {
    type: "Main",
    phone: digitsOf(number),
    country: countryOf(number, country),
    formatted_phone: number.formatNational(),
  };
}

/**
 * Returns the entry for a number whose key was determined earlier. The tenant's country may have changed since. A string
 * whose key is not a number is parsed as a number in `country`.
 */
export function keyedPhoneEntry(text: string, key: string, country: CountryCode): PhoneEntry {
  const sent = phoneEntry(text, country);
  const numbered = phoneEntry(`+${key}`, country);
  const isNational = numbered.country !== null && isPhoneCountry(numbered.country);
  const national = isNational ? phoneEntry(text, numbered.country) : numbered;
  return [sent, national, numbered].find(({ phone }) => phone === key) ?? sent;
}

/**
 * Parses a number from a response, together with the other members of its entry. The digits alone could be another
 * country's number. Returns undefined if the members do not match the number.
 */
export function returnedPhone(
  phone: string,
  country: unknown,
  formatted_phone: unknown,
): Omit<PhoneEntry, "type"> | undefined {
  if (typeof formatted_phone !== "string" || !/^\d+$/.test(phone)) return undefined;
  const isNational = typeof country === "string" && isPhoneCountry(country);
  if (!isNational && country !== null) return undefined;
  const number = isNational
    ? parsePhone(formatted_phone, country)
    : parsePhone(`+${phone}`, WITHOUT_COUNTRY);
  if (number === undefined || digitsOf(number) !== phone) return undefined;
  if (!isNational && !number.isNonGeographic()) return undefined;
  return { phone, country, formatted_phone: number.formatNational() };
}

/** The country to pass when parsing numbers that include a country code. The result does not depend on it. */
const WITHOUT_COUNTRY: CountryCode = "US";

/**
 * Returns a value for the field `phone` that is parsed as this entry's number in `country`. This is the original string
 * if possible, and otherwise the number with its country code.
 */
export function phoneText(text: string, entry: object, country: CountryCode): string {
  const { phone, formatted_phone } = entry as Pick<PhoneEntry, "phone" | "formatted_phone">;
  const isSame = (spelling: string): boolean => {
    const read = phoneEntry(spelling, country);
    return read.phone === phone && read.formatted_phone === formatted_phone;
  };
  if (formatted_phone === null || isSame(text)) return text;
  const extension = /ext\. \d+$/.exec(formatted_phone)?.[0] ?? "";
  return isSame(formatted_phone) ? formatted_phone : `+${phone} ${extension}`.trim();
}

/**
 * Returns the form of a number used for comparison. The column `phone_list` also contains this form. A string that is
 * not a number is compared without surrounding spaces.
 */
export function phoneKey(text: string, country: CountryCode): string {
  const number = parsePhone(text, country);
  return number === undefined ? text.trim() : digitsOf(number);
}

/** Returns a key's digits without the country code, or the key itself if it is not a number. */
export const nationalDigits = (key: string): string =>
  (/^\d+$/.test(key) ? parsePhone(`+${key}`, WITHOUT_COUNTRY)?.nationalNumber : undefined) ?? key;

/** Whether a string is a phone number when parsed as a number in `country`. */
export const isPhone = (text: string, country: CountryCode): boolean =>
  parsePhone(text, country) !== undefined;

/** Whether this is a country whose phone numbers can be parsed. */
export const isPhoneCountry = (text: string): text is CountryCode => isSupportedCountry(text);

const digitsOf = ({ number }: PhoneNumber): string => number.slice(1);

/** The field's maximum length. Strings longer than this are not numbers. */
const PHONE_TEXT_MAX = 50;

/**
 * Caches parsed numbers, because each number is parsed when it is received, when it is compared, and whenever its
 * record changes.
 */
const numbers = remember<PhoneNumber | null>(10_000);

function parsePhone(text: string, country: CountryCode): PhoneNumber | undefined {
  if (text.length > PHONE_TEXT_MAX) return undefined;
  return numbers(`${country} ${text}`, () => readPhone(text, country) ?? null) ?? undefined;
}

function readPhone(text: string, country: CountryCode): PhoneNumber | undefined {
  const trimmed = text.trim();
  // 00 is the international prefix in most countries but not in North America. Files from there may still contain
  // 001-…. Digits that are not a national number may include the country code.
  const spellings = [trimmed, trimmed.replace(/^00\s*[-.]?/, "+"), `+${trimmed}`];
  for (const spelling of new Set(spellings)) {
    if (spelling.startsWith("++") || spelling.startsWith("+(")) continue;
    const number = parsePhoneNumberFromString(spelling, {
      defaultCountry: country,
      extract: false,
    });
    if (number === undefined) continue;
    // Adding a prefix is a guess, so the number must match an assigned range.
    const isGuess = spelling === `+${trimmed}`;
    const isNational = !spelling.startsWith("+");
    if (isGuess ? number.isValid() : number.isPossible() && (!isNational || inPlan(number))) {
      return number;
    }
  }
  return undefined;
}

const patterns = remember<RegExp>(300);

/**
 * Whether a national number fits its numbering plan. In North America, 555 numbers fit. Numbers that start with 0 or 1
 * do not, regardless of their length.
 */
function inPlan({ countryCallingCode: code, nationalNumber }: PhoneNumber): boolean {
  const [main] = metadata.country_calling_codes[code] ?? [];
  if (main === undefined) return true;
  const pattern = patterns(code, () => {
    const plan = new Metadata();
    plan.selectNumberingPlan(main);
    // `Metadata`'s types do not declare this method.
    const numbering = plan.numberingPlan as unknown as { nationalNumberPattern: () => string };
    return new RegExp(`^(?:${numbering.nationalNumberPattern()})$`);
  });
  return pattern.test(nationalNumber);
}

/**
 * Returns a number's country. Some numbers (555 numbers) could belong to several countries that share a calling code.
 * In that case, returns the tenant's country if it has that code, and otherwise the code's main country. Returns null
 * for codes without a country (+800).
 */
function countryOf(number: PhoneNumber, country: CountryCode): CountryCode | null {
  if (number.country !== undefined) return number.country;
  if (number.isNonGeographic()) return null;
  const code = number.countryCallingCode;
  if (getCountryCallingCode(country) === code) return country;
  return metadata.country_calling_codes[code]?.[0] ?? null;
}
