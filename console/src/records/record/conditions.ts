/**
 * Handles fields that apply only while another field has a certain value, such as a lost deal's
 * reason.
 */

import type { Draft, RecordType } from "./record-types.ts";

/** Whether a field applies to a record with these values. */
export function isApplicable({ onlyWhile }: RecordType, name: string, values: Draft): boolean {
  const condition = onlyWhile?.[name];
  return condition === undefined || values[condition.field] === condition.is;
}

/** Returns the changes, leaving out fields that do not apply to the record after the changes. */
export const applicable = (type: RecordType, record: Draft, changes: Draft): Draft =>
  Object.fromEntries(
    Object.entries(changes).filter(([name]) => isApplicable(type, name, { ...record, ...changes })),
  );

/** Whether the user is asked for a lost reason when a record gets this status. */
export const asksForReason = ({ onlyWhile }: RecordType, status: string): boolean =>
  onlyWhile?.["lost_reason"]?.is === status;
