/** The possible subjects of tasks: all record types that do not have a subject themselves. */

import { type RecordType, recordTypes } from "./record-types.ts";

/** Returns the value of `subject_type` for a record type. For deals, it is "opportunity". */
export const subjectWord = ({ idName }: RecordType): string => idName.replace(/_id$/, "");

/** The types by `subject_type`. Other values are stored unchecked. */
export const SUBJECT_TYPES: ReadonlyMap<string, RecordType> = new Map(
  recordTypes
    .filter(({ subject }) => subject === undefined)
    .map((type) => [subjectWord(type), type]),
);

/** Adds the indefinite article: "a deal", "an account". */
export const aNoun = (noun: string): string => `${/^[aeiou]/.test(noun) ? "an" : "a"} ${noun}`;
