/**
 * Telephone numbers as they are stored and compared: digits with country code, however
 * they were typed. Numbers need only be possible, not assigned: people invent 555 numbers, and
 * numbering plans change faster than installations do.
 */

// The "min" metadata holds lengths, formats and what tells countries of one calling code apart; the
// larger sets add number types (mobile, toll free …), which nothing here asks for.
import {
  getCountryCallingCode,
  isSupportedCountry,
  Metadata,
  parsePhoneNumberFromString,
  type CountryCode,
  type PhoneNumber,
} from "libphonenumber-js/min";
import metadata from "libphonenumber-js/min/metadata";
import { remember } from "../../platform/clock/index.ts";

export type { CountryCode };

/** An entry of `phone_list`. `country` and `formatted_phone` are null where `phone` is not understood. */
export interface PhoneEntry {
  readonly type: "Main";
  readonly phone: string;
  readonly country: string | null;
  readonly formatted_phone: string | null;
}

/**
 * The entry of a number as it was sent, read as typed in `country`. `phone` is without the
 * extension, which `formatted_phone` shows; a text that is no number is kept as it was sent.
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
 * A number in the form in which an entry is returned, with the members that were returned with it;
 * undefined where these do not belong together. Its digits alone could be another country's number.
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

/** Any country: a number with a country code is read alike in all of them. */
const WITHOUT_COUNTRY: CountryCode = "US";

/**
 * A text of the field `phone` that is read as this entry's number in a country: the text that was sent
 * where it is, else the number with its country code.
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

/** What the column `phone_list` holds and what numbers are compared by: the entry's `phone`. */
export function phoneKey(text: string, country: CountryCode): string {
  const number = parsePhone(text, country);
  return number === undefined ? text : digitsOf(number);
}

/** Whether a text is understood as a number, read as typed in `country`. */
export const isPhone = (text: string, country: CountryCode): boolean =>
  parsePhone(text, country) !== undefined;

/** Whether a text is a country that numbers can be read in (a tenant's default_country). */
export const isPhoneCountry = (text: string): text is CountryCode => isSupportedCountry(text);

const digitsOf = ({ number }: PhoneNumber): string => number.slice(1);

/** As long as the field is: a longer text is no number. */
const PHONE_TEXT_MAX = 50;

/** A number is read when it comes, again when it is compared, and whenever its record changes. */
const numbers = remember<PhoneNumber | null>(10_000);

function parsePhone(text: string, country: CountryCode): PhoneNumber | undefined {
  if (text.length > PHONE_TEXT_MAX) return undefined;
  return numbers(`${country} ${text}`, () => readPhone(text, country) ?? null) ?? undefined;
}

function readPhone(text: string, country: CountryCode): PhoneNumber | undefined {
  const trimmed = text.trim();
  // 00 is the international prefix of most countries but not of North America, where 001-… is still
  // common in files; digits alone that make no number here may be one with its country code.
  const spellings = [trimmed, trimmed.replace(/^00\s*[-.]?/, "+"), `+${trimmed}`];
  for (const spelling of new Set(spellings)) {
    if (spelling.startsWith("++") || spelling.startsWith("+(")) continue;
    const number = parsePhoneNumberFromString(spelling, {
      defaultCountry: country,
      extract: false,
    });
    if (number === undefined) continue;
    // A prefixed spelling is a guess, so there the number must be an assigned one.
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
 * Whether a national number fits the numbering plan in which it was read: in North America a 555
 * number does, one that begins with 0 or 1 does not, whatever its length.
 */
function inPlan({ countryCallingCode: code, nationalNumber }: PhoneNumber): boolean {
  const [main] = metadata.country_calling_codes[code] ?? [];
  if (main === undefined) return true;
  const pattern = patterns(code, () => {
    const plan = new Metadata();
    plan.selectNumberingPlan(main);
    // The types of `Metadata` leave this out.
    const numbering = plan.numberingPlan as unknown as { nationalNumberPattern: () => string };
    return new RegExp(`^(?:${numbering.nationalNumberPattern()})$`);
  });
  return pattern.test(nationalNumber);
}

/**
 * The country of a number. Where the plan does not tell which of the countries that share a calling
 * code it is (555 numbers), the tenant's own if it is among them, else the code's main country; null
 * for codes that belong to no country (+800).
 */
function countryOf(number: PhoneNumber, country: CountryCode): CountryCode | null {
  if (number.country !== undefined) return number.country;
  if (number.isNonGeographic()) return null;
  const code = number.countryCallingCode;
  if (getCountryCallingCode(country) === code) return country;
  return metadata.country_calling_codes[code]?.[0] ?? null;
}
