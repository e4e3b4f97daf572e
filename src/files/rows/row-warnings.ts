/** Warnings about values that were changed on import, as data and as sentences. */

/** The kinds of warnings. `unresolved` and `ambiguous` are added by references.ts. */
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
  | "doubtful_email"
  | "doubtful_phone"
  | "repeated_email"
  | "unresolved"
  | "ambiguous";

export interface Warning {
  readonly kind: WarningKind;
  readonly field?: string;
  /** The string in the file. Never set for secrets. */
  readonly word?: string;
}

const SENTENCES: Readonly<Record<WarningKind, string>> = {
  unknown_word: "is not a known value",
  unreadable_value: "cannot be read",
  made_name: "the row has no name",
  made_line: "the row has no lines",
  too_long: "is too long for an entry",
  too_many_entries: "exceeds the number of entries that a record can have",
  damaged_text: "the row contains characters that cannot be read",
  other_currency: "is not the currency of the business",
  impossible_date: "is not a valid date",
  note_omitted: "the notes do not fit into the record's text field",
  doubtful_email: "looks invalid",
  doubtful_phone: "is not a recognizable phone number",
  repeated_email: "is also in an earlier line",
  unresolved: "was not found",
  ambiguous: "matches several records",
};

/** Whether a warning is about a value that was generated for a new record. */
export const isForNew = ({ kind }: Warning): boolean => kind.startsWith("made");

/** Formats a warning as a sentence. */
export function sentenceOf(warning: Warning): string {
  const { kind, field, word } = warning;
  if (kind === "ambiguous") return `${field ?? ""}: several records match "${word ?? ""}"`;
  if (word !== undefined) return `${field ?? ""}: "${word}" ${SENTENCES[kind]}`;
  return field === undefined || isForNew(warning) ? SENTENCES[kind] : `${field} ${SENTENCES[kind]}`;
}
