/** Derives the columns to read and the dates of a response from member schemas. */

import { isoSeconds } from "../clock/index.ts";
import type { Schemas, Typed } from "./typed.ts";

/** The members of a stored row. Every `<name>_date` is derived from its `<name>_ts`. */
export type Stored<P extends Schemas> = {
  readonly [K in keyof P as K extends `${string}_date` ? never : K]: Typed<P[K]>;
};

/** An object with a `<name>_date` for each of its `<name>_ts`. */
export type Dated<T> = T & {
  readonly [K in keyof T as K extends `${infer N}_ts` ? `${N}_date` : never]: T[K] extends number
    ? string
    : string | null;
};

/** Returns the column names: all members except dates and members that come from elsewhere. */
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
