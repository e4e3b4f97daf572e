/**
 * Merges two concurrent edits of a record: finds what each user changed, and applies the choice of
 * values to keep.
 */

import { kindFor } from "../../kinds/index.ts";
import type { Draft, RecordType, Stored } from "../../record/index.ts";
import { draftOf, isSame } from "../form/index.ts";

export interface Edited {
  readonly base: Stored;
  readonly theirs: Stored;
  /** The fields that the user changed, with their new values. */
  readonly mine: Draft;
}

export interface Conflict extends Edited {
  /** Fields that both users changed to different values. */
  readonly both: readonly string[];
  /** Fields that only the other user changed. */
  readonly theirsAlone: readonly string[];
}

/**
 * Compares the two edits. A field that both users changed to the same value does not count as a change of either user.
 * Lists are compared without their main entries, which are compared as the email address and phone number.
 */
export function conflictOf(type: RecordType, { base, theirs, mine }: Edited): Conflict {
  const before = draftOf(type, base);
  const after = draftOf(type, theirs);
  const left = Object.entries(mine).filter(([name, value]) => !isSame(value, after[name]));
  const changedByThem = Object.keys(type.fields).filter(
    (name) => !isSame(before[name], after[name]),
  );
  const isMine = (name: string): boolean => left.some(([mine]) => mine === name);
  return {
    base,
    theirs,
    mine: Object.fromEntries(left),
    both: changedByThem.filter(isMine),
    theirsAlone: changedByThem.filter((name) => !isMine(name) && !(name in mine)),
  };
}

/**
 * Returns the version of the other user in which a field is shown. A list is shown without its main entry, like the
 * user's own list.
 */
export const withTheirs = (type: RecordType, { theirs }: Conflict, name: string): Draft =>
  kindFor(type, name).toDraft !== undefined ? draftOf(type, theirs) : theirs;

/**
 * Returns the original record with the user's changes. Values derived from a changed phone number
 * are not known yet.
 */
export const withMine = ({ base, mine }: Conflict): Draft => ({
  ...base,
  ...("phone" in mine && { phone_list: [] }),
  ...mine,
});

/**
 * Returns the changes to send: the user's changes, except for fields in which the other user's
 * value is kept.
 */
export const chosen = ({ mine }: Conflict, leftToThem: readonly string[]): Draft =>
  Object.fromEntries(Object.entries(mine).filter(([name]) => !leftToThem.includes(name)));
