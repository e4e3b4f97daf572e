/**
 * `changed_fields` in one shape: an object with a member for each field that changed. On the wire the change
 * feed and event webhooks send the old and new values, and a failed `If-Match` sends a list of names.
 */

/** A field that changed. The change feed has both values; a failed `If-Match` (412) has neither. */
export interface ChangedField {
  readonly old?: unknown;
  readonly new?: unknown;
}

/** The fields that changed, by name. Both `FeedChange` and `LeadportError` have it. */
export type ChangedFields = Readonly<Record<string, ChangedField>>;

/** Either wire format as an object; null if the service does not know the fields, undefined if there is none. */
export function changedFieldsOf(sent: unknown): ChangedFields | null | undefined {
  if (!Array.isArray(sent)) return sent as ChangedFields | null | undefined;
  return Object.fromEntries((sent as string[]).map((name) => [name, {}]));
}
