/** The parameters of every list operation. */

import { once } from "../../platform/cache/index.ts";
import { fieldsParameter, type Given, type Parameters } from "../../platform/validation/index.ts";
import { PAGE_PARAMETERS } from "../../platform/paging/index.ts";
import { responseSchema } from "../schemas/index.ts";
import type { RecordType } from "../types/index.ts";
import { DATE_PARAMETERS } from "./window.ts";

export const PAGE_SIZE = PAGE_PARAMETERS.page_size.fallback;
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
    fallback: false,
    description: "Whether the filter may use `_id` and `ObjectId('<id>')`.",
  },
  sort_dict: {
    kind: "text",
    max: 1000,
    description: "The sort order, as JSON: 1 ascending, -1 descending.",
  },
  page_size: PAGE_PARAMETERS.page_size,
  page_num: PAGE_PARAMETERS.page_num,
  ...DATE_PARAMETERS,
  cursor: { ...PAGE_PARAMETERS.cursor, max: CURSOR_MAX },
} as const satisfies Parameters;

export type ListQuery = Partial<Given<typeof LIST_PARAMETERS & FieldsParameter>>;
