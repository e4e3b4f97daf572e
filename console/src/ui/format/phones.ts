/** Phone numbers as people write them: national at home, with the country code elsewhere. */

/** A number as records store it. */
export interface PhoneNumber {
  /** Digits with country code; the text as it was sent where it is no number. */
  readonly phone: string;
  /** ISO 3166-1 alpha-2; null for numbers of no country (+800). */
  readonly country?: string | null | undefined;
  /** In national format, with an extension; null where the text is no number. */
  readonly formatted_phone?: string | null | undefined;
}

/** Country codes are one, two or three digits long, and none begins another (ITU-T E.164). */
const COUNTRY_CODE = /^(1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|\d{3})(\d+)$/;
/** Countries write extensions as " ext. 7", " x7" and otherwise. */
const EXTENSION = /\s\D*\p{L}\D*(\d+)$/u;

/** The extension of a number in national format, as it is read in every country: " ext. 7"; empty without one. */
export function extensionOf(national: string): string {
  const digits = EXTENSION.exec(national)?.[1];
  return digits === undefined ? "" : ` ext. ${digits}`;
}

/** The text of a number for readers in `home`, such as "US". */
export function phoneText(
  { phone, country, formatted_phone: national }: PhoneNumber,
  home: string,
): string {
  if (national == null) return phone;
  return country === home ? national : international(phone, national);
}

/** `442079460123` is `+44 20 7946 0123`: grouped as in its country, without the digits for calls within it. */
function international(digits: string, national: string): string {
  const extension = extensionOf(national);
  const [, code, subscriber] = COUNTRY_CODE.exec(digits) ?? [];
  if (code === undefined || subscriber === undefined) return `+${digits}${extension}`;
  const grouped = groupedAs(subscriber, national.replace(EXTENSION, ""));
  return `+${code} ${grouped}${extension}`;
}

/** These digits with the spaces that they have at the end of a national number; without any where they differ. */
function groupedAs(digits: string, national: string): string {
  let [left, start] = [digits.length, national.length];
  while (left > 0 && start > 0) {
    start -= 1;
    const sign = national.charAt(start);
    if (!/\d/.test(sign)) continue;
    left -= 1;
    if (sign !== digits.charAt(left)) return digits;
  }
  return left > 0 ? digits : national.slice(start).replaceAll(/\D+/g, " ").trim();
}

/** The number for a link (E.164); a text that is no number as it is. */
export const phoneAddress = ({ phone, formatted_phone }: PhoneNumber): string =>
  formatted_phone == null ? phone : `+${phone}`;
