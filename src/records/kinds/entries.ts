/** A list of emails or phone numbers, sent as objects or strings. The main entry is `email` or `phone`. */

import { isObject, type Json, type JsonObject } from "../../platform/json/index.ts";
import { type Fault, type Schema, valueError } from "../../platform/validation/index.ts";
import { nullable, string } from "../../platform/schemas/index.ts";
import { fieldKind, parseList } from "./kind.ts";
import { shortTextFaults } from "./short-texts.ts";

/** Maximum number of entries in a changed list. A merge may create a longer list. */
export const ENTRIES_MAX = 50;
const ENTRY_TEXT_MAX = { email: 254, phone: 50 } as const;
const ENTRY_TYPE_MAX = 50;
/** The maximum length of strings in unknown members of entries. */
const ENTRY_MEMBER_MAX = 500;

/** What a list contains: addresses or numbers. */
export type EntryKind = "email" | "phone";

export interface EntriesField {
  readonly kind: "entries";
  readonly of: EntryKind;
}

/** Members of an entry that Leadport derives. If callers send values for them, the values are ignored. */
export const DERIVED_MEMBERS: Readonly<Record<EntryKind, readonly string[]>> = {
  email: ["email_validation_dict"],
  phone: ["country", "formatted_phone"],
};

/** Descriptions of an entry's members. */
export const ENTRY_TEXTS = {
  email: { type: "The type of the entry, such as `Main` or `Work`.", value: "The email." },
  phone: {
    type: "The type of the entry, such as `Main` or `Mobile`.",
    value: "The phone number as digits with the country code.",
  },
} as const;

/** Whether an entry's type is "main", ignoring case. */
export const isMainType = (type: Json | undefined): boolean =>
  typeof type === "string" && type.toLowerCase() === "main";

/** Returns members that Leadport does not know. They are stored unchanged. */
export function unknownMembers(kind: EntryKind, entry: JsonObject): JsonObject {
  const known = ["type", kind, ...DERIVED_MEMBERS[kind]];
  return Object.fromEntries(Object.entries(entry).filter(([name]) => !known.includes(name)));
}

/** Returns the schema of an entry in requests: either an object, or just the address or number. */
const entrySchema = (of: EntryKind): Schema => ({
  type: ["object", "string"],
  minLength: 1,
  maxLength: ENTRY_TEXT_MAX[of],
  required: [of],
  properties: {
    type: nullable(string(ENTRY_TEXTS[of].type, { maxLength: ENTRY_TYPE_MAX })),
    [of]: string(ENTRY_TEXTS[of].value, { minLength: 1, maxLength: ENTRY_TEXT_MAX[of] }),
    ...Object.fromEntries(
      DERIVED_MEMBERS[of].map((name) => [
        name,
        { description: "Derived by Leadport. Ignored in request bodies." },
      ]),
    ),
  },
  "x-rule": ["entry", of],
});

/** Allows at most one main entry. Also accepts an empty string in place of a list. */
function entryListFaults(value: Json, of: EntryKind): readonly Fault[] {
  if (typeof value === "string" && value !== "") {
    return [{ type: "list_type", msg: "Input should be a valid list" }];
  }
  if (!Array.isArray(value)) return [];
  const mains = value.filter((entry) => isObject(entry) && isMainType(entry["type"]));
  return mains.length < 2
    ? []
    : [valueError(`${of}_list has ${mains.length} entries of type Main`)];
}

function entryFaults(value: Json, of: EntryKind): readonly Fault[] {
  return isObject(value) ? shortTextFaults(unknownMembers(of, value), ENTRY_MEMBER_MAX) : [];
}

export const entries = fieldKind<EntriesField>({
  names: ["emails", "phones"],
  nameOf: ({ of }) => (of === "email" ? "emails" : "phones"),
  request: ({ of }, purpose) => ({
    type: ["array", "null"],
    // Requests other than create may send back a record's list, which can be longer after a merge.
    ...(purpose === "create" && { maxItems: ENTRIES_MAX }),
    description:
      `All ${of === "email" ? "emails" : "phone numbers"}, each an object or a string. The entry of type Main is ` +
      `\`${of}\`. At most ${ENTRIES_MAX} entries, unless the list is unchanged.`,
    items: entrySchema(of),
    "x-rule": ["entry_list", of],
  }),
  rules: () => ({ entry_list: entryListFaults, entry: entryFaults }),
  docs: ({ of }) =>
    `a list of at most ${ENTRIES_MAX} objects with \`${of}\` and \`type\`, or strings: see [Several addresses and numbers](#several-addresses-and-numbers)`,
  example: () => [],
  holds: "list",
  // A JSON list, as in exports from Leadport, or separated strings.
  parse: (_, text) => {
    if (text.startsWith("[")) return parseList(text);
    const texts = text.split(/[;,|\n]/).map((entry) => entry.trim());
    return { value: texts.filter((entry) => entry !== "") };
  },
});
