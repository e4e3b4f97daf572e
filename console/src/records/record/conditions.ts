/**
 * Fields that apply only while another field has a certain value, such as the reason of a lost
 * deal.
 */

import type { Draft, RecordType } from "./record-types.ts";

/** Whether a field applies to a record with these values. */
export function isApplicable({ onlyWhile }: RecordType, name: string, values: Draft): boolean {
  const condition = onlyWhile?.[name];
  return condition === undefined || values[condition.field] === condition.is;
}

/** Returns only the changes that still apply once all of them are made. */
export const applicable = (type: RecordType, record: Draft, changes: Draft): Draft =>
  Object.fromEntries(
    Object.entries(changes).filter(([name]) => isApplicable(type, name, { ...record, ...changes })),
  );

/** Whether a record that gets this status needs a reason for the loss. */
export const asksForReason = ({ onlyWhile }: RecordType, status: string): boolean =>
  onlyWhile?.["lost_reason"]?.is === status;
