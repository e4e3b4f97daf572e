/** What every list operation takes. */

import { once } from "../../platform/clock/index.ts";
import { fieldsParameter, type Given, type Parameters } from "../../platform/validation/index.ts";
import { responseSchema } from "../shape/index.ts";
import type { RecordType } from "../types/index.ts";
import { DATE_PARAMETERS } from "./window.ts";

export const PAGE_SIZE = 50;

/** The parameter that chooses members of the records of a type. */
export const fieldsParameterOf = once((type: RecordType) =>
  fieldsParameter(Object.keys(responseSchema(type)["properties"])),
);
type FieldsParameter = ReturnType<typeof fieldsParameterOf>;

export const LIST_PARAMETERS = {
  match_filter_dict: {
    kind: "text",
    description: "A filter in MongoDB's query language, as JSON. See docs/filters.md.",
  },
  eval_object_id: {
    kind: "boolean",
    description: "Whether the filter may name _id and hold `ObjectId('<id>')`.",
  },
  sort_dict: {
    kind: "text",
    max: 1000,
    description: "The order, as JSON: 1 ascending, -1 descending.",
  },
  page_size: {
    kind: "integer",
    min: 1,
    max: 500,
    fallback: PAGE_SIZE,
    description: "How many records a page has.",
  },
  page_num: { kind: "integer", min: 1, fallback: 1, description: "Which page, from 1." },
  ...DATE_PARAMETERS,
  cursor: {
    kind: "text",
    max: 8000,
    description: 'Goes on where a page ended: taken from its Link header, rel="next".',
  },
} as const satisfies Parameters;

export type ListQuery = Partial<Given<typeof LIST_PARAMETERS & FieldsParameter>>;
