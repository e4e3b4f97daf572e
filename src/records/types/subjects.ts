/** The possible subjects of tasks: all record types that do not have a subject themselves. */

import type { RecordName } from "./record-types.ts";
import { RECORD_NAMES, TYPE_FACTS } from "./type-facts.ts";

/** Returns the value of `subject_type` for a record type. For deals, it is "opportunity". */
export const subjectWord = (name: RecordName): string =>
  TYPE_FACTS[name].idName.replace(/_id$/, "");

/** The names of the types by `subject_type`. Other values are stored unchecked. */
export const SUBJECT_TYPES: ReadonlyMap<string, RecordName> = new Map(
  RECORD_NAMES.filter((name) => TYPE_FACTS[name].subject === undefined).map((name) => [
    subjectWord(name),
    name,
  ]),
);

/** Adds the indefinite article: "a deal", "an account". */
export const aNoun = (noun: string): string => `${/^[aeiou]/.test(noun) ? "an" : "a"} ${noun}`;
