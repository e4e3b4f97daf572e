/** The JSON Schema of entries in `email_list` and `phone_list`, in requests and responses. */

import { objectSchema, type Schema } from "../../platform/validation/index.ts";
import { DERIVED_MEMBERS, type EntryKind } from "./entries.ts";

const ENTRY_TEXT_MAX: Readonly<Record<EntryKind, number>> = { email: 254, phone: 50 };
const ENTRY_TYPE_MAX = 50;

/** Returns the schema of an entry in requests: either an object, or just the address or number. */
export const entrySchema = (of: EntryKind): Schema => ({
  type: ["object", "string"],
  minLength: 1,
  maxLength: ENTRY_TEXT_MAX[of],
  properties: {
    type: { type: ["string", "null"], maxLength: ENTRY_TYPE_MAX },
    [of]: { type: "string", minLength: 1, maxLength: ENTRY_TEXT_MAX[of] },
    ...Object.fromEntries(
      DERIVED_MEMBERS[of].map((name) => [
        name,
        { description: "Derived by Leadport. Ignored in request bodies." },
      ]),
    ),
  },
  required: [of],
  "x-rule": ["entry", of],
});

/** The schemas of the lists in responses. */
export const RETURNED_LISTS: Readonly<Record<"email_list" | "phone_list", Schema>> = {
  email_list: {
    type: "array",
    items: objectSchema({
      type: { type: "string" },
      email: { type: "string" },
      email_validation_dict: objectSchema({ result: { type: "integer", enum: [1, 2] } }),
    }),
  },
  phone_list: {
    type: "array",
    items: objectSchema({
      type: { type: "string" },
      phone: { type: "string" },
      country: { type: ["string", "null"] },
      formatted_phone: { type: ["string", "null"] },
    }),
  },
};
