/** The kinds of fields. To add a kind, add a file with its definition and its members, and a line to KINDS. */

import { choice } from "./choice.ts";
import { digits } from "./digits.ts";
import { entries } from "./entries.ts";
import { epoch } from "./epoch.ts";
import { flag } from "./flag.ts";
import { free } from "./free.ts";
import type { FieldKind } from "./kind.ts";
import { lines } from "./lines.ts";
import { money } from "./money.ts";
import { number } from "./number.ts";
import { reference } from "./reference.ts";
import { socials } from "./socials.ts";
import { ssn } from "./ssn.ts";
import { tags } from "./tags.ts";
import { text } from "./text.ts";
import { whole } from "./whole.ts";

const KINDS = {
  text,
  choice,
  tags,
  number,
  money,
  whole,
  digits,
  epoch,
  ssn,
  flag,
  reference,
  lines,
  socials,
  entries,
  free,
};

type DefinitionOf<Kind> = Kind extends FieldKind<infer D> ? D : never;
/** The properties that a field has because of its kind. */
export type KindDefinition = DefinitionOf<(typeof KINDS)[keyof typeof KINDS]>;

export const fieldKinds: readonly FieldKind<KindDefinition>[] = Object.values(KINDS);

/** Returns the kind of a field. */
export const kindOf = ({ kind }: KindDefinition): FieldKind<KindDefinition> => KINDS[kind];

export {
  DERIVED_MEMBERS,
  ENTRIES_MAX,
  ENTRY_TEXTS,
  type EntryKind,
  isMainType,
  unknownMembers,
} from "./entries.ts";
export {
  type CellReader,
  type ColumnKind,
  jsonOf,
  NOTHING,
  type Parsed,
  type Purpose,
  type SummaryUse,
  UNREADABLE,
} from "./kind.ts";
export type { Member } from "./lines.ts";
export { MONEY_DIGITS_MAX, moneyFaults } from "./money.ts";
export type { ReferenceField } from "./reference.ts";
export { isMasked, isSsn } from "./ssn.ts";
export { SHORT_TEXT_MAX } from "./text.ts";
