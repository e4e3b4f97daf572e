/** An object or a text, stored as sent. */

import { memberText } from "../../ui/format/index.ts";
import { NestedValue } from "../../ui/lists/index.ts";
import { TEXT } from "../filtering/index.ts";
import type { Kind } from "../kind/index.ts";
import { PlainText } from "../shown/index.ts";

/** Returns the object without unnamed members; null if none remain. */
function namedMembers(value: unknown): unknown {
  if (typeof value !== "object" || value === null || !("" in value)) return value ?? null;
  const named = Object.entries(value).filter(([name]) => name !== "");
  return named.length === 0 ? null : Object.fromEntries(named);
}

export const object: Kind = {
  width: 180,
  isWide: true,
  isWideInput: true,
  tidy: namedMembers,
  Cell: ({ value }) => <PlainText text={memberText(value)} />,
  Value: ({ value }) => <NestedValue value={value} />,
  Input: ({ inputs, common, value, set }) => (
    <inputs.FreeInput {...common} value={value} onChange={set} />
  ),
  filtering: TEXT,
};
