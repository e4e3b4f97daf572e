/** Filters as trees. The console bundles this folder, and nothing else of the service's filters. */

export {
  fieldsOf,
  rangesOf,
  type Condition,
  type EntriesField,
  type Filter,
  type FilterField,
  type FilterFields,
  type Range,
  type RegexSource,
  type Scalar,
} from "./filter.ts";
export { FILTER_OPERATORS, parse } from "./parse.ts";
