/** An entry in a record's history, and which of its fields are shown. */

import { type Entry, isMain, type RecordType } from "../record/index.ts";
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

/** Kinds of derived fields that are not shown, because the fields from which they are derived are shown. */
const FOLLOWING = new Set(["copy", "name_part", "name_of", "mirror"]);

const othersIn = (list: unknown): readonly Entry[] =>
  ((list ?? []) as readonly Entry[]).filter((entry) => !isMain(entry));

/** Returns the fields to show for a change. */
export function shownFields(type: RecordType, { fields }: Change): readonly string[] {
  const names = Object.keys(fields);
  const isShown = (name: string): boolean => {
    // The owner's name is shown instead.
    if (name === "userid" && names.includes("user_name")) return false;
    const derived = type.derived[name]?.kind;
    const field = type.fields[name];
    // A change to the main entry is already shown as a change to the email address or phone number.
    if (field?.kind === "entries" && names.includes(field.of)) {
      return !isSame(othersIn(fields[name]?.old), othersIn(fields[name]?.new));
    }
    return name in type.fields
      ? derived !== "mirror"
      : derived === undefined || !FOLLOWING.has(derived);
  };
  const shown = names.filter(isShown);
  return shown.length === 0 ? names : shown;
}
