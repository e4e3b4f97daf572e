/** An entry in a record's history, and which of its fields are shown. */

import { kindFor } from "../../kinds/index.ts";
import type { RecordType } from "../../record/index.ts";
import { type Entry, isMain } from "../../record/lists/index.ts";
import { isSame } from "../form/index.ts";

export interface Change {
  readonly id: string;
  /** The time of the change, in ISO 8601. */
  readonly at: string;
  readonly action: string;
  readonly version: number | null;
  readonly actor: { readonly kind: string; readonly id: string; readonly name: string };
  readonly fields: Readonly<Record<string, { readonly old: unknown; readonly new: unknown }>>;
}

/** The origins of members that are not shown, because the field from which they are derived is shown. */
const REPEATING = new Set(["copy", "name", "condition"]);

const othersIn = (list: unknown): readonly Entry[] =>
  ((list ?? []) as readonly Entry[]).filter((entry) => !isMain(entry));

/** Returns the fields to show for a change. */
export function shownFields(type: RecordType, { fields }: Change): readonly string[] {
  const names = Object.keys(fields);
  const isShown = (name: string): boolean => {
    // The owner's name is shown instead.
    if (name === "userid" && names.includes("user_name")) return false;
    const of = kindFor(type, name).mainField;
    // A change to the main entry is already shown as a change to the email address or phone number.
    if (of !== undefined && names.includes(of)) {
      return !isSame(othersIn(fields[name]?.old), othersIn(fields[name]?.new));
    }
    const rule = type.members[name]?.origin?.rule;
    return rule === undefined || !REPEATING.has(rule);
  };
  const shown = names.filter(isShown);
  return shown.length === 0 ? names : shown;
}
