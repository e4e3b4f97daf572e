/**
 * The keys for comparing people and companies: the email address in lower case, and the phone
 * number's digits with country code.
 */

import { emailKey } from "./email.ts";
import { phoneKey, type CountryCode } from "./phone.ts";

/** Null if a string is not an address, or not a number. */
export interface PersonKeys {
  readonly email: string | null;
  readonly phone: string | null;
}

export interface ContactDetails {
  readonly name?: string | null | undefined;
  readonly email?: string | null | undefined;
  readonly phone?: string | null | undefined;
}

/** Placeholders such as "n/a" or "unknown" do not count as addresses or numbers. */
export function personKeys({ email, phone }: ContactDetails, country: CountryCode): PersonKeys {
  const address = email?.trim() ?? "";
  const number = phone?.trim() ?? "";
  return {
    email: address.includes("@") ? emailKey(address) : null,
    phone: /\d/.test(number) ? phoneKey(number, country) : null,
  };
}

/** Returns both keys as distinct strings. */
export const keyTexts = ({ email, phone }: PersonKeys): readonly string[] => [
  ...(email === null ? [] : [`email:${email}`]),
  ...(phone === null ? [] : [`phone:${phone}`]),
];
