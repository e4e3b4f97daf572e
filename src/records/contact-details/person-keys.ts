/**
 * The keys for comparing people and companies: the email address in lowercase, and the phone number's digits with
 * country code.
 */

import { emailKey } from "./email.ts";
import { phoneKey, type CountryCode } from "./phone.ts";

/** A key is null if the string is not an address or number. */
export interface PersonKeys {
  readonly email: string | null;
  readonly phone: string | null;
}

export interface ContactDetails {
  readonly name?: string | null | undefined;
  readonly email?: string | null | undefined;
  readonly phone?: string | null | undefined;
}

/** Returns the keys of a person or company. Placeholders such as "n/a" or "unknown" are not addresses or numbers. */
export function personKeys({ email, phone }: ContactDetails, country: CountryCode): PersonKeys {
  return {
    email: email?.includes("@") === true ? emailKey(email) : null,
    phone: /\d/.test(phone ?? "") ? phoneKey(phone ?? "", country) : null,
  };
}

/** Returns the keys as strings. A key of one kind never equals a key of the other kind. */
export const keyTexts = ({ email, phone }: PersonKeys): readonly string[] => [
  ...(email === null ? [] : [`email:${email}`]),
  ...(phone === null ? [] : [`phone:${phone}`]),
];
