/** The record types as data, and the types that define them. */

export { isLongText, type Listing, type SumOfLines, type Timestamp } from "./define.ts";
export { EMAIL_FORM } from "./email-form.ts";
export { LEAD_SOURCES } from "./enums.ts";
export {
  type Derived,
  type Field,
  RECORD_TYPES,
  type RecordName,
  type RecordType,
  recordTypes,
} from "./record-types.ts";
export { aNoun, SUBJECT_TYPES, subjectWord } from "./subjects.ts";
