/** The record types as data, and the types that define them. */

export { isLongText, type Listing, type SumOfLines, type Timestamp } from "./define.ts";
export { EMAIL_FORM } from "./email-form.ts";
export { LEAD_SOURCES } from "./enums.ts";
export {
  BUILT_IN_TYPES,
  type Derived,
  type Field,
  type RecordName,
  type RecordType,
  type RecordTypes,
} from "./record-types.ts";
export { typeOf, typesOf } from "./registry.ts";
export { aNoun, SUBJECT_TYPES, subjectWord } from "./subjects.ts";
export { RECORD_NAMES, RECORD_TABLES, TYPE_FACTS, type TypeFacts } from "./type-facts.ts";
