/** The formats of numbers, dates and flags in files: how they are read, and how they are determined from cells. */

export {
  ColumnEvidence,
  type ColumnNeeds,
  type ColumnStyle,
  type Decision,
  type GivenStyle,
  isUndecided,
  styleOf,
  undecidedNotice,
} from "./column-decisions.ts";
export { DATE_ORDERS, readDay, readMoment, readSerial } from "./dates.ts";
export { DECIMAL_SIGNS, isNothing, readFlag, readNumber } from "./numbers.ts";
