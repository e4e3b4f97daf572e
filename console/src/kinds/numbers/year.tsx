/** A calendar year. It is not an amount, so its digits are not grouped. */

import { TEXT } from "../filtering/index.ts";
import type { Kind } from "../kind/index.ts";
import { PlainText } from "../shown/index.ts";
import { integer } from "./integer.tsx";

const { isNumber: _, isShort: __, ...like } = integer;

export const year: Kind = {
  ...like,
  Cell: ({ value }) => <PlainText text={String(value)} />,
  Value: ({ value }) => String(value),
  filtering: TEXT,
};
