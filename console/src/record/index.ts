/** Record types, fields and paths, as the pages use them. */

export { applicable, asksForReason, isApplicable } from "./conditions.ts";
export { hasTime, momentText } from "./moments.ts";
export type { FilterKind } from "./filter-kind.ts";
export { canSearch, hasPeople, searchFilter } from "./search-filter.ts";
export {
  type Field,
  findType,
  keepTypes,
  type RecordType,
  recordTypes,
  subjectType,
  subjectTypes,
  typeByPlural,
  typeNamed,
} from "./definitions.ts";
export {
  type Draft,
  fieldLabel,
  filterFields,
  isCondition,
  isConverted,
  isSetElsewhere,
  kindOf,
  listPath,
  originalOf,
  pageOf,
  readPath,
  type Reference,
  referenceAt,
  referenceOf,
  type Stored,
  typeLabel,
  typesNamedBy,
  writePath,
} from "./record-types.ts";
