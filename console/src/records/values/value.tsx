/** A record's value, formatted to be shown next to its label or among other values. */

import { kindFor } from "../../kinds/index.ts";
import type { RecordType, Stored } from "../../record/index.ts";
import { t } from "../../text/index.ts";

/** Whether a value is missing or an empty list. */
export const isEmpty = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === "" ||
  (Array.isArray(value) && value.length === 0);

export interface ValueProps {
  readonly type: RecordType;
  readonly record: Stored;
  readonly name: string;
}

export function Value({ type, record, name }: ValueProps) {
  const value = record[name];
  if (isEmpty(value)) return t.common.none;
  const kind = kindFor(type, name);
  return <kind.Value type={type} record={record} name={name} value={value} />;
}
