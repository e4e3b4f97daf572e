/** The kinds of numbers. */

import type { Kind } from "../kind/index.ts";
import { boolean } from "./boolean.tsx";
import { datetime } from "./datetime.tsx";
import { fraction } from "./fraction.tsx";
import { integer } from "./integer.tsx";
import { money } from "./money.tsx";
import { number } from "./number.tsx";
import { year } from "./year.tsx";

export const NUMBER_KINDS: Readonly<Record<string, Kind>> = {
  boolean,
  datetime,
  fraction,
  integer,
  money,
  number,
  year,
};
