/** Of two who changed a record at once: what each changed, and what shall hold. */

import type { Draft, RecordType, Stored } from "../record/index.ts";
import { isSame } from "../form/index.ts";

export interface Edited {
  readonly base: Stored;
  readonly theirs: Stored;
  /** The fields that were to be changed, with their new values. */
  readonly mine: Draft;
}

export interface Conflict extends Edited {
  /** Fields that both changed, to different values. */
  readonly both: readonly string[];
  /** Fields that the others changed, and we did not. */
  readonly theirsAlone: readonly string[];
}

/** What both changed to the same value is no change of ours any more. */
export function conflictOf(type: RecordType, { base, theirs, mine }: Edited): Conflict {
  const left = Object.entries(mine).filter(([name, value]) => !isSame(value, theirs[name]));
  const changedByThem = Object.keys(type.fields).filter(
    (name) => !isSame(base[name], theirs[name]),
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

/** The record as our changes would make it. What follows from a changed number is not known yet. */
export const withMine = ({ base, mine }: Conflict): Draft => ({
  ...base,
  ...("phone" in mine && { phone_list: [] }),
  ...mine,
});

/** What is sent on: our changes without the fields for which theirs were chosen. */
export const chosen = ({ mine }: Conflict, leftToThem: readonly string[]): Draft =>
  Object.fromEntries(Object.entries(mine).filter(([name]) => !leftToThem.includes(name)));
