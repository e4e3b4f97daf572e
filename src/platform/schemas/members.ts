/** Derives the names of database columns from member schemas, and adds dates to responses. */

import { isoSeconds } from "../clock/index.ts";
import type { Schemas, Typed } from "./typed.ts";

/** The members of a stored row. Dates are not stored: each `<name>_date` is derived from `<name>_ts`. */
export type Stored<P extends Schemas> = {
  readonly [K in keyof P as K extends `${string}_date` ? never : K]: Typed<P[K]>;
};

/** An object with an additional `<name>_date` for each `<name>_ts`. */
export type Dated<T> = T & {
  readonly [K in keyof T as K extends `${infer N}_ts` ? `${N}_date` : never]: T[K] extends number
    ? string
    : string | null;
};

/** Returns the column names: all members except dates and members that do not come from columns. */
export const storedNames = <P extends Schemas>(
  members: P,
  elsewhere: readonly (keyof P)[] = [],
): readonly string[] =>
  Object.keys(members).filter((name) => !name.endsWith("_date") && !elsewhere.includes(name));

/** Adds the ISO 8601 date of each timestamp. */
export const withDates = <T extends object>(row: T): Dated<T> =>
  Object.fromEntries(
    Object.entries(row).flatMap(([name, value]) =>
      name.endsWith("_ts")
        ? [
            [name, value],
            [`${name.slice(0, -2)}date`, value === null ? null : isoSeconds(value)],
          ]
        : [[name, value]],
    ),
  ) as Dated<T>;
