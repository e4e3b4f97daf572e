/** A whole number. */

import type { Kind } from "../kind/index.ts";
import { numberProps } from "./number-props.ts";
import { number } from "./number.tsx";

export const integer: Kind = {
  ...number,
  Input: (props) => <props.inputs.NumberField {...numberProps(props)} allowDecimal={false} />,
};
