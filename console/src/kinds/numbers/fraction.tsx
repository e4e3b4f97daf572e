/** A number from 0 to 1, which is shown and entered as a percentage. */

import { percent } from "../../ui/format/index.ts";
import type { Kind } from "../kind/index.ts";
import { numberProps } from "./number-props.ts";
import { number } from "./number.tsx";

/** Removes floating-point errors. */
const rounded = (value: number): number => Number(value.toFixed(8));

export const fraction: Kind = {
  ...number,
  width: 110,
  Cell: ({ value }) => percent(Number(value)),
  Value: ({ value }) => percent(Number(value)),
  Input: (props) => {
    const { value, set } = props;
    return (
      <props.inputs.NumberField
        {...numberProps({
          ...props,
          value: typeof value === "number" ? rounded(value * 100) : value,
          set: (typed) => set(typeof typed === "number" ? rounded(typed / 100) : typed),
        })}
        suffix=" %"
        decimalScale={6}
      />
    );
  },
};
