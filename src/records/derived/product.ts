/** The product of two fields, rounded to cents. */

import Big from "big.js";
import { nullable, number } from "../../platform/schemas/index.ts";
import { derivedKind } from "./kind.ts";

export interface Product {
  readonly kind: "product";
  readonly of: string;
  readonly by: string;
}

/** Rounds an amount to cents, half to even. Call it only once per amount. */
export const inCents = (amount: Big): number => amount.round(2, Big.roundHalfEven).toNumber();

export const product = derivedKind<Product>({
  kindName: () => "money",
  schema: ({ of, by }) => nullable(number(`\`${of}\` × \`${by}\`.`)),
  docs: ({ of, by }) =>
    `\`${of}\` × \`${by}\` (or × 1 if \`${by}\` is null), rounded to two decimal places (half to even)`,
  value: ({ of, by }, _, { values }) => {
    const amount = values[of];
    const factor = values[by];
    if (typeof amount !== "number") return null;
    return inCents(new Big(amount).times(typeof factor === "number" ? factor : 1));
  },
  column: () => "number",
  summary: "sum",
});
