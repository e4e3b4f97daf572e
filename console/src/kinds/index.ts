/** The kinds of fields: how their values are shown, entered, compared and sent. */

import { kindOf, type RecordType } from "../record/index.ts";
import { ADDRESSES } from "./addresses/index.ts";
import type { Kind } from "./kind/index.ts";
import { LINKS } from "./links/index.ts";
import { NUMBER_KINDS } from "./numbers/index.ts";
import { STRUCTURES } from "./structures/index.ts";
import { TEXTS } from "./texts/index.ts";

export type { Kind } from "./kind/index.ts";

const KINDS: ReadonlyMap<string, Kind> = new Map(
  Object.entries({ ...ADDRESSES, ...LINKS, ...NUMBER_KINDS, ...STRUCTURES, ...TEXTS }),
);

/** Returns the kind of a member. A kind of a newer service is shown as text and cannot be edited. */
export const kindFor = (type: RecordType, name: string): Kind =>
  KINDS.get(kindOf(type, name)) ?? TEXTS.id;
