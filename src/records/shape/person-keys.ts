/**
 * What persons and companies are compared by: the e-mail address in lower case, the telephone
 * number's digits with country code.
 */

import { emailKey } from "./email.ts";
import { phoneKey, type CountryCode } from "./phone.ts";

/** Null where a text is no address, or no number. */
export interface PersonKeys {
  readonly email: string | null;
  readonly phone: string | null;
}

export interface ContactWays {
  readonly name?: string | null | undefined;
  readonly email?: string | null | undefined;
  readonly phone?: string | null | undefined;
}

/** "n/a" is nobody's address and "unknown" nobody's number: they make no two persons one. */
export function personKeys({ email, phone }: ContactWays, country: CountryCode): PersonKeys {
  const address = email?.trim() ?? "";
  const number = phone?.trim() ?? "";
  return {
    email: address.includes("@") ? emailKey(address) : null,
    phone: /\d/.test(number) ? phoneKey(number, country) : null,
  };
}

/** Both keys as texts that cannot be taken for each other. */
export const keyTexts = ({ email, phone }: PersonKeys): readonly string[] => [
  ...(email === null ? [] : [`email:${email}`]),
  ...(phone === null ? [] : [`phone:${phone}`]),
];
