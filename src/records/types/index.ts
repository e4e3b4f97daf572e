/** The record types as data, the vocabulary that they are written in, and the columns that follow from it. */

export type {
  Derived,
  Field,
  Listing,
  Member,
  RecordName,
  RecordType,
  SumOfLines,
  Timestamp,
} from "./define.ts";
export { LEAD_SOURCES } from "./enums.ts";
export { RECORD_TYPES, recordTypes } from "./record-types.ts";
