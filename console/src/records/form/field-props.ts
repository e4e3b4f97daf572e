/** The props of every input in a form. */

import type { Draft, RecordType } from "../record/index.ts";

/** Messages by location: `email`, `invoice_line_list.0.amount`. */
export type Issues = Readonly<Record<string, string>>;

export interface FieldProps {
  readonly type: RecordType;
  readonly name: string;
  /** The location of the field's issues if it is not the field's name: "account.name". */
  readonly place?: string;
  /** A replacement for the field's own label, where that would be ambiguous. */
  readonly label?: string;
  readonly draft: Draft;
  readonly issues: Issues;
  readonly onChange: (changes: Draft) => void;
  /** Whether the user can create a referenced record from this form. */
  readonly canCreate?: boolean;
}

export type InputOrder = ("label" | "input" | "description" | "error")[];

/** Returns the messages at a location and, with `below`, inside it. */
export function messageAt(issues: Issues, place: string, below = false): string | undefined {
  const found = Object.entries(issues).filter(
    ([at]) => at === place || (below && at.startsWith(`${place}.`)),
  );
  return found.length === 0 ? undefined : found.map(([, message]) => message).join("; ");
}
