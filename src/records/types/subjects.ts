/** The possible subjects of tasks: every record type that has no subject itself. */

import { type RecordType, recordTypes } from "./record-types.ts";

/** Returns the value of `subject_type` for a type. For a deal, it is "opportunity". */
export const subjectWord = ({ idName }: RecordType): string => idName.replace(/_id$/, "");

/** The types by these values. Other values are stored unchecked. */
export const SUBJECT_TYPES: ReadonlyMap<string, RecordType> = new Map(
  recordTypes
    .filter(({ subject }) => subject === undefined)
    .map((type) => [subjectWord(type), type]),
);

/** `a deal`, `an account`. */
export const aNoun = (noun: string): string => `${/^[aeiou]/.test(noun) ? "an" : "a"} ${noun}`;
