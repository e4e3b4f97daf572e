/** The JSON Schema of each kind of field in requests. Constraints that JSON Schema cannot express are rules. */

import { ENTRIES_MAX } from "./entry-lists.ts";
import { entrySchema } from "./entry-schemas.ts";
import type { Field, Member, RecordType } from "../types/index.ts";
import { described, nullable, type Schema, string } from "../../platform/validation/index.ts";

export const LIST_MAX = 1000;
const LINE_TEXT_MAX = 1000;
const TEXT_MAX = 500;
export const TAGS_MAX = 10;
const TAG_MAX = 100;
const SOCIAL_TEXT = { type: "string", maxLength: TEXT_MAX } as const;
/** The purpose of a request body. A put creates or updates a record. */
export type Purpose = "create" | "patch" | "put";

/** Epoch numbers at or above this value are in milliseconds. */
export const EPOCH_END = 1e11;
const SSN = String.raw`^\d{3}-\d{2}-\d{4}$|^\d{9}$`;
const MASKED_SSN = String.raw`^\*{3}-\*{2}-\d{4}$`;

const MONEY = { type: ["number", "null"], "x-rule": ["money", null] } as const;

/** The schemas of a line's members. No member is required, and null means missing. */
const MEMBER: Readonly<Record<Member["kind"], Schema>> = {
  text: { type: ["string", "null"], maxLength: LINE_TEXT_MAX },
  money: MONEY,
  line_detail: {
    type: ["object", "null"],
    properties: {
      qty: described(MONEY, "The quantity."),
      unit_price: described(MONEY, "The price of one unit."),
    },
    "x-rule": ["short_texts", LINE_TEXT_MAX],
  },
};

/** The schemas of fields that can be null. For required fields, fieldSchema removes null. */
const NULLABLE: {
  readonly [K in Field["kind"]]: (field: Extract<Field, { kind: K }>, purpose: Purpose) => Schema;
} = {
  text: ({ max }) => ({ type: ["string", "null"], maxLength: max }),
  choice: ({ of, spellings = {} }) => ({
    type: ["string", "null"],
    enum: [...of, null, ...Object.keys(spellings)],
    "x-also": Object.keys(spellings),
  }),
  tags: () => ({
    type: ["array", "null"],
    maxItems: TAGS_MAX,
    items: { type: "string", maxLength: TAG_MAX },
    description: "Tags.",
  }),
  number: ({ min, max }) => ({ type: ["number", "null"], minimum: min, maximum: max }),
  whole: ({ min, max }) => ({ type: ["integer", "null"], minimum: min, maximum: max }),
  money: () => MONEY,
  digits: ({ min, max }) => ({
    type: ["integer", "string", "null"],
    "x-rule": ["digits", { min, max }],
    "x-print": {
      minimum: min,
      ...(typeof max === "number" && { maximum: max }),
      pattern: String.raw`^\d{1,16}$`,
    },
  }),
  epoch: () => ({
    type: ["number", "null"],
    "x-rule": ["epoch", null],
    "x-print": { exclusiveMinimum: -EPOCH_END, exclusiveMaximum: EPOCH_END },
  }),
  ssn: (_, purpose) => ({
    type: ["string", "null"],
    description: "XXX-XX-XXXX or nine digits. Stored encrypted and returned masked.",
    "x-rule": ["ssn", purpose],
    "x-print": { pattern: purpose === "create" ? SSN : `${SSN}|${MASKED_SSN}` },
  }),
  flag: () => ({ type: ["boolean", "null"] }),
  reference: ({ to }) => nullable(string(`The id of an existing ${to}.`, { maxLength: 100 })),
  lines: ({ members }) => ({
    type: ["array", "null"],
    maxItems: LIST_MAX,
    items: {
      type: "object",
      properties: Object.fromEntries(
        members.map(({ name, kind, description }) => [name, described(MEMBER[kind], description)]),
      ),
      "x-rule": ["short_texts", LINE_TEXT_MAX],
    },
  }),
  socials: () => ({
    type: ["array", "null"],
    maxItems: LIST_MAX,
    items: {
      type: "object",
      required: ["url"],
      properties: {
        type: described(SOCIAL_TEXT, "The platform, such as `Linkedin`."),
        platform: described(SOCIAL_TEXT, "The platform. Another name for `type`."),
        url: string("The URL of the profile.", { maxLength: 2048 }),
      },
      "x-rule": ["social", TEXT_MAX],
    },
    description: "Social media profiles.",
  }),
  entries: ({ of }, purpose) => ({
    type: ["array", "null"],
    // Requests other than create may send back a record's list, which can be longer after a merge.
    ...(purpose === "create" && { maxItems: ENTRIES_MAX }),
    description:
      `All ${of === "email" ? "emails" : "phone numbers"}, each an object or a string. The entry of type Main is ` +
      `\`${of}\`. At most ${ENTRIES_MAX} entries, unless the list is unchanged.`,
    items: entrySchema(of),
    "x-rule": ["entry_list", of],
  }),
  free: () => ({
    type: ["object", "string", "null"],
    additionalProperties: true,
    "x-rule": ["short_texts", 10_000],
  }),
};

/** Returns the schema of a field in a request body. */
export function fieldSchema(field: Field, purpose: Purpose): Schema {
  const schema = (NULLABLE[field.kind] as (field: Field, purpose: Purpose) => Schema)(
    field,
    purpose,
  );
  if (field.required) {
    const type = [schema["type"]].flat().filter((name) => name !== "null");
    return { ...schema, type: type.length === 1 ? type[0] : type };
  }
  return purpose === "create" && "fallback" in field && field.fallback !== undefined
    ? { ...schema, default: field.fallback }
    : schema;
}

export function fieldOf({ name: typeName, fields }: RecordType, name: string): Field {
  const field = fields[name];
  if (field === undefined) throw new Error(`A ${typeName} has no field ${name}`);
  return field;
}
