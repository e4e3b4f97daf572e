/** Fields that have a value only while another field has a certain one: the reason of a lost deal. */

import type { Draft, RecordType } from "./record-types.ts";

/** Whether a field can have a value in a record with these values. */
export function isApplicable({ onlyWhile }: RecordType, name: string, values: Draft): boolean {
  const condition = onlyWhile?.[name];
  return condition === undefined || values[condition.field] === condition.is;
}

/** The changes that a record can have once all of them are made. */
export const applicable = (type: RecordType, record: Draft, changes: Draft): Draft =>
  Object.fromEntries(
    Object.entries(changes).filter(([name]) => isApplicable(type, name, { ...record, ...changes })),
  );

/** Whether a record that gets this status should say why it was lost. */
export const asksForReason = ({ onlyWhile }: RecordType, status: string): boolean =>
  onlyWhile?.["lost_reason"]?.is === status;
