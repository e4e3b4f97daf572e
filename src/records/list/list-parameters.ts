/** The parameters of every list operation. */

import { once } from "../../platform/clock/index.ts";
import {
  fieldsParameter,
  type Given,
  PAGE_PARAMETERS,
  type Parameters,
} from "../../platform/validation/index.ts";
import { responseSchema } from "../shape/index.ts";
import type { RecordType } from "../types/index.ts";
import { DATE_PARAMETERS } from "./window.ts";

export const PAGE_SIZE = 50;
/** Four sort values of 500 characters take up to 16,100 characters: 6 bytes each as JSON, encoded as Base64. */
const CURSOR_MAX = 20_000;

/** The `fields` parameter of a record type. */
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
    description: "Whether the filter may use `_id` and `ObjectId('<id>')`.",
  },
  sort_dict: {
    kind: "text",
    max: 1000,
    description: "The sort order, as JSON: 1 ascending, -1 descending.",
  },
  page_size: {
    kind: "integer",
    min: 1,
    max: 500,
    fallback: PAGE_SIZE,
    description: "The number of entries per page.",
  },
  page_num: {
    kind: "integer",
    min: 1,
    fallback: 1,
    description: PAGE_PARAMETERS.page_num.description,
  },
  ...DATE_PARAMETERS,
  cursor: {
    kind: "text",
    max: CURSOR_MAX,
    description: PAGE_PARAMETERS.cursor.description,
  },
} as const satisfies Parameters;

export type ListQuery = Partial<Given<typeof LIST_PARAMETERS & FieldsParameter>>;
