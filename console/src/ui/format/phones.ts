/**
 * Formats phone numbers: in national format for the tenant's default country, otherwise with the
 * country code.
 */

/** A phone number as stored in records. */
export interface PhoneNumber {
  /** The digits with the country code; the original string if it is not a number. */
  readonly phone: string;
  /** The country (ISO 3166-1 alpha-2); null for numbers without a country (+800). */
  readonly country?: string | null | undefined;
  /** The number in national format, with any extension; null if the string is not a number. */
  readonly formatted_phone?: string | null | undefined;
}

/** Country codes have one to three digits, and none is a prefix of another (ITU-T E.164). */
const COUNTRY_CODE = /^(1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|\d{3})(\d+)$/;
/** Countries write extensions in different ways, such as " ext. 7" and " x7". */
const EXTENSION = /\s\D*\p{L}\D*(\d+)$/u;

/**
 * Returns a national number's extension in a format that works in every country: " ext. 7". Empty
 * if there is none.
 */
export function extensionOf(national: string): string {
  const digits = EXTENSION.exec(national)?.[1];
  return digits === undefined ? "" : ` ext. ${digits}`;
}

/**
 * Formats a number for users in the country `home`, such as "US". If `home` is unknown, includes
 * the country code.
 */
export function phoneText(
  { phone, country, formatted_phone: national }: PhoneNumber,
  home?: string,
): string {
  if (national == null) return phone;
  return home !== undefined && country === home ? national : international(phone, national);
}

/**
 * Formats `442079460123` as `+44 20 7946 0123`: grouped as usual in its country, without the
 * national prefix.
 */
function international(digits: string, national: string): string {
  const extension = extensionOf(national);
  const [, code, subscriber] = COUNTRY_CODE.exec(digits) ?? [];
  if (code === undefined || subscriber === undefined) return `+${digits}${extension}`;
  const grouped = groupedAs(subscriber, national.replace(EXTENSION, ""));
  return `+${code} ${grouped}${extension}`;
}

/**
 * Groups digits in the same way as the national number. If the national number has different digits, returns `digits`
 * unchanged.
 */
function groupedAs(digits: string, national: string): string {
  let left = digits.length;
  let start = national.length;
  while (left > 0 && start > 0) {
    start -= 1;
    const sign = national.charAt(start);
    if (!/\d/.test(sign)) continue;
    left -= 1;
    if (sign !== digits.charAt(left)) return digits;
  }
  return left > 0 ? digits : national.slice(start).replaceAll(/\D+/g, " ").trim();
}

/**
 * Returns the number for a phone link (E.164). A string that is not a number is returned unchanged.
 */
export const phoneAddress = ({ phone, formatted_phone }: PhoneNumber): string =>
  formatted_phone == null ? phone : `+${phone}`;

/** Whether a string can be dialed, which requires at least one digit. */
export const canDial = ({ phone }: PhoneNumber): boolean => /\d/.test(phone);
