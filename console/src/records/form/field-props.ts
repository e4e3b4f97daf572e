/** What every input of a form is given. */

import type { Draft, RecordType } from "../record/index.ts";

/** Messages by their place: `email`, `invoice_line_list.0.amount`. */
export type Issues = Readonly<Record<string, string>>;

export interface FieldProps {
  readonly type: RecordType;
  readonly name: string;
  /** Where the field's issues stand, where that is not its name: "account.name". */
  readonly place?: string;
  readonly draft: Draft;
  readonly issues: Issues;
  readonly onChange: (changes: Draft) => void;
  /** Whether a record that is not there yet can be made on the way. */
  readonly canCreate?: boolean;
}

export type InputOrder = ("label" | "input" | "description" | "error")[];

/** The messages at a place and, where wanted, below it. */
export function messageAt(issues: Issues, place: string, below = false): string | undefined {
  const found = Object.entries(issues).filter(
    ([at]) => at === place || (below && at.startsWith(`${place}.`)),
  );
  return found.length === 0 ? undefined : found.map(([, message]) => message).join("; ");
}
