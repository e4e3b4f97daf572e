/**
 * Normalizes `changed_fields` to an object with one member per changed field. On the wire, the
 * change feed and event webhooks send old and new values, whereas a failed `If-Match` returns only
 * a list of names.
 */

/**
 * A changed field. Changes from the feed contain both values; the error for a failed `If-Match`
 * (412) contains neither.
 */
export interface ChangedField {
  readonly old?: unknown;
  readonly new?: unknown;
}

/** The changed fields by name, used by both `FeedChange` and `LeadportError`. */
export type ChangedFields = Readonly<Record<string, ChangedField>>;

/**
 * Converts either wire format to an object. Returns null if the service does not know which fields
 * changed, and undefined if there is no `changed_fields`.
 */
export function changedFieldsOf(sent: unknown): ChangedFields | null | undefined {
  if (!Array.isArray(sent)) return sent as ChangedFields | null | undefined;
  return Object.fromEntries((sent as string[]).map((name) => [name, {}]));
}
