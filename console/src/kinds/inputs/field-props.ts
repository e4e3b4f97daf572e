/** The props that all inputs in a form have in common. */

import type { Draft, RecordType } from "../../record/index.ts";

/** Error messages by location: `email`, `invoice_line_list.0.amount`. */
export type Issues = Readonly<Record<string, string>>;

export interface FieldProps {
  readonly type: RecordType;
  readonly name: string;
  /** The location of the field's errors, if it differs from the field's name: "account.name". */
  readonly place?: string;
  /** A label to use where the field's own label would be ambiguous. */
  readonly label?: string;
  readonly draft: Draft;
  readonly issues: Issues;
  readonly onChange: (changes: Draft) => void;
  /** Whether the user can create a referenced record from this form. */
  readonly canCreate?: boolean;
}

export type InputOrder = ("label" | "input" | "description" | "error")[];

/** Returns the error messages for a location and, with `below`, for locations inside it. */
export function messageAt(issues: Issues, place: string, below = false): string | undefined {
  const found = Object.entries(issues).filter(
    ([at]) => at === place || (below && at.startsWith(`${place}.`)),
  );
  return found.length === 0 ? undefined : found.map(([, message]) => message).join("; ");
}
