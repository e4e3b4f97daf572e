/** All emails or phone numbers of a record. They are stored with the record's values. */

import {
  described,
  integer,
  nullable,
  objectSchema,
  string,
} from "../../platform/schemas/index.ts";
import { ENTRY_TEXTS } from "../kinds/index.ts";
import { derivedKind } from "./kind.ts";

export interface EmailList {
  readonly kind: "email_list";
}

export interface PhoneList {
  readonly kind: "phone_list";
}

export const email_list = derivedKind<EmailList>({
  schema: () => ({
    type: "array",
    items: objectSchema({
      type: string(ENTRY_TEXTS.email.type),
      email: string(ENTRY_TEXTS.email.value),
      email_validation_dict: described(
        objectSchema({
          result: integer("1 if the email looks deliverable, 2 if it does not.", { enum: [1, 2] }),
        }),
        "The result of checking the email.",
      ),
    }),
    description: "All emails of the record. The entry of type `Main` comes first.",
  }),
  docs: () =>
    "`email` and all other addresses; each entry has `type`, `email` and " +
    "`email_validation_dict.result` (1 if the address looks deliverable, otherwise 2)",
  column: () => "emails",
});

export const phone_list = derivedKind<PhoneList>({
  schema: () => ({
    type: "array",
    items: objectSchema({
      type: string(ENTRY_TEXTS.phone.type),
      phone: string(ENTRY_TEXTS.phone.value),
      country: nullable(string("The country of the number, such as US; null if it is unknown.")),
      formatted_phone: nullable(
        string("The number in its country's format; null if it is invalid."),
      ),
    }),
    description: "All phone numbers of the record. The entry of type `Main` comes first.",
  }),
  docs: () =>
    "`phone` and all other numbers; each entry has `type`, `phone` (the digits, including the " +
    "country code), `country` and `formatted_phone`",
  column: () => "phones",
});
