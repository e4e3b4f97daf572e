/** What a task may be about: the words of the API for types of records (D7). */

import { RECORD_TYPES, type RecordType } from "./record-types.ts";

const { lead, contact, account, deal, invoice, order } = RECORD_TYPES;

export const SUBJECTS: readonly (readonly [string, RecordType])[] = [
  ["lead", lead],
  ["contact", contact],
  ["account", account],
  ["opportunity", deal],
  ["invoice", invoice],
  ["order", order],
];

/** The type that a word names; undefined where the word is somebody's own. */
export const subjectType = (word: string): RecordType | undefined =>
  SUBJECTS.find(([key]) => key === word)?.[1];

/** The word that names a type; undefined where nothing can be about it. */
export const subjectWord = ({ name }: RecordType): string | undefined =>
  SUBJECTS.find(([, type]) => type.name === name)?.[0];
