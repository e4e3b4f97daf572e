/**
 * Handles fields that apply only while another field has a certain value, such as a lost deal's
 * reason.
 */

import type { RecordType } from "./definitions.ts";
import type { Draft } from "./record-types.ts";

/** Whether a field applies to a record with these values. */
export function isApplicable({ members }: RecordType, name: string, values: Draft): boolean {
  const condition = members[name]?.only_while;
  return condition === undefined || values[condition.field] === condition.is;
}

/** Returns the changes, leaving out fields that do not apply to the record after the changes. */
export const applicable = (type: RecordType, record: Draft, changes: Draft): Draft =>
  Object.fromEntries(
    Object.entries(changes).filter(([name]) => isApplicable(type, name, { ...record, ...changes })),
  );

/** Whether the user is asked for a lost reason when a record gets this status. */
export const asksForReason = ({ members }: RecordType, status: string): boolean =>
  members["lost_reason"]?.only_while?.is === status;
