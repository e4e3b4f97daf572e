/** Why a row was not taken as it stood, as a value and as a sentence. */

/** `unresolved` and `ambiguous` come from references.ts. */
export type WarningKind =
  | "unknown_word"
  | "unreadable_value"
  | "made_name"
  | "made_line"
  | "too_long"
  | "too_many_entries"
  | "damaged_text"
  | "other_currency"
  | "impossible_date"
  | "note_omitted"
  | "unresolved"
  | "ambiguous";

export interface Warning {
  readonly kind: WarningKind;
  readonly field?: string;
  /** What the file says; never for secrets. */
  readonly word?: string;
}

const SENTENCES: Readonly<Record<WarningKind, string>> = {
  unknown_word: "is not a known value",
  unreadable_value: "cannot be read",
  made_name: "the row has no name of its own",
  made_line: "the row has no lines of its own",
  too_long: "is too long for an entry",
  too_many_entries: "is beyond the entries that a record can have",
  damaged_text: "the row holds characters that cannot be read",
  other_currency: "is not the currency of the business",
  impossible_date: "is no date that exists",
  note_omitted: "the notes do not fit into the text of the record",
  unresolved: "names no record",
  ambiguous: "names several records",
};

/** A warning as a person reads it. */
export function sentenceOf({ kind, field, word }: Warning): string {
  if (kind === "ambiguous") return `${field ?? ""}: several are called "${word ?? ""}"`;
  if (word !== undefined) return `${field ?? ""}: "${word}" ${SENTENCES[kind]}`;
  return field === undefined || kind.startsWith("made")
    ? SENTENCES[kind]
    : `${field} ${SENTENCES[kind]}`;
}
