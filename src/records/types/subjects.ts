/** What tasks can be about: every record type that has no subject itself. */

import { type RecordType, recordTypes } from "./record-types.ts";

/** The value of `subject_type` for a type; a deal is an opportunity there. */
export const subjectWord = ({ idName }: RecordType): string => idName.replace(/_id$/, "");

/** The types by these values. Other values are stored unchecked. */
export const SUBJECT_TYPES: ReadonlyMap<string, RecordType> = new Map(
  recordTypes
    .filter(({ subject }) => subject === undefined)
    .map((type) => [subjectWord(type), type]),
);
