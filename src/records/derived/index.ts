/** The kinds of derived members. To add a kind, add a file with its definition and its members, and a line to KINDS. */

import { copy } from "./copy.ts";
import { email_list, phone_list } from "./entry-lists.ts";
import type { DerivedKind } from "./kind.ts";
import { mirror } from "./mirror.ts";
import { moment } from "./moment.ts";
import { name_of } from "./name-of.ts";
import { name_part } from "./name-part.ts";
import { product } from "./product.ts";
import { sequence } from "./sequence.ts";
import { set_elsewhere } from "./set-elsewhere.ts";

const KINDS = {
  copy,
  name_part,
  email_list,
  phone_list,
  name_of,
  product,
  mirror,
  moment,
  sequence,
  set_elsewhere,
};

type DefinitionOf<Kind> = Kind extends DerivedKind<infer D> ? D : never;
/** The properties of a derived member. */
export type DerivedDefinition = DefinitionOf<(typeof KINDS)[keyof typeof KINDS]>;

/** Returns the kind of a derived member. */
export const derivedKindOf = ({ kind }: DerivedDefinition): DerivedKind<DerivedDefinition> =>
  KINDS[kind];

export type { Draft, Surroundings, Values } from "./kind.ts";
export type { Mirror } from "./mirror.ts";
export { inCents } from "./product.ts";
export type { SetElsewhere } from "./set-elsewhere.ts";
