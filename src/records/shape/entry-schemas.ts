/** The JSON Schema of entries in `email_list` and `phone_list`, in requests and responses. */

import {
  described,
  integer,
  nullable,
  objectSchema,
  type Schema,
  string,
} from "../../platform/validation/index.ts";
import { DERIVED_MEMBERS, type EntryKind } from "./entries.ts";

const ENTRY_TEXT_MAX: Readonly<Record<EntryKind, number>> = { email: 254, phone: 50 };
const ENTRY_TYPE_MAX = 50;

/** Descriptions of an entry's members. */
const TEXTS = {
  email: { type: "The type of the entry, such as `Main` or `Work`.", value: "The email." },
  phone: {
    type: "The type of the entry, such as `Main` or `Mobile`.",
    value: "The phone number as digits with the country code.",
  },
} as const;

/** Returns the schema of an entry in requests: either an object, or just the address or number. */
export const entrySchema = (of: EntryKind): Schema => ({
  type: ["object", "string"],
  minLength: 1,
  maxLength: ENTRY_TEXT_MAX[of],
  required: [of],
  properties: {
    type: nullable(string(TEXTS[of].type, { maxLength: ENTRY_TYPE_MAX })),
    [of]: string(TEXTS[of].value, { minLength: 1, maxLength: ENTRY_TEXT_MAX[of] }),
    ...Object.fromEntries(
      DERIVED_MEMBERS[of].map((name) => [
        name,
        { description: "Derived by Leadport. Ignored in request bodies." },
      ]),
    ),
  },
  "x-rule": ["entry", of],
});

/** The schemas of the lists in responses. */
export const RETURNED_LISTS: Readonly<Record<"email_list" | "phone_list", Schema>> = {
  email_list: {
    type: "array",
    items: objectSchema({
      type: string(TEXTS.email.type),
      email: string(TEXTS.email.value),
      email_validation_dict: described(
        objectSchema({
          result: integer("1 if the email looks deliverable, 2 if it does not.", { enum: [1, 2] }),
        }),
        "The result of checking the email.",
      ),
    }),
    description: "All emails of the record. The entry of type `Main` comes first.",
  },
  phone_list: {
    type: "array",
    items: objectSchema({
      type: string(TEXTS.phone.type),
      phone: string(TEXTS.phone.value),
      country: nullable(string("The country of the number, such as US; null if it is unknown.")),
      formatted_phone: nullable(
        string("The number in its country's format; null if it is invalid."),
      ),
    }),
    description: "All phone numbers of the record. The entry of type `Main` comes first.",
  },
};
