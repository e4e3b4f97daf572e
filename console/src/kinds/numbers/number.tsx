/** A number, which may have decimals. */

import { number as numberText } from "../../ui/format/index.ts";
import { NUMBERS } from "../filtering/index.ts";
import type { Kind } from "../kind/index.ts";
import { numberProps } from "./number-props.ts";

export const number: Kind = {
  isNumber: true,
  isShort: true,
  Cell: ({ value }) => numberText(Number(value)),
  Value: ({ value }) => numberText(Number(value)),
  Input: (props) => <props.inputs.NumberField {...numberProps(props)} />,
  filtering: NUMBERS,
};
