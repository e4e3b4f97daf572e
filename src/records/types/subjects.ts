/** What records can be about: every type but those that are about another record themselves. */

import { type RecordType, recordTypes } from "./record-types.ts";

/** The word for a type in `subject_type`: deals are opportunities there. */
export const subjectWord = ({ idName }: RecordType): string => idName.replace(/_id$/, "");

/** The types by their words; other words are stored unchecked. */
export const SUBJECT_TYPES: ReadonlyMap<string, RecordType> = new Map(
  recordTypes
    .filter(({ subject }) => subject === undefined)
    .map((type) => [subjectWord(type), type]),
);
