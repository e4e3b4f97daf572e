/** An amount in the business's currency. */

import { useSession } from "../../api/index.ts";
import { money as moneyText } from "../../ui/format/index.ts";
import type { Kind } from "../kind/index.ts";
import { numberProps } from "./number-props.ts";
import { number } from "./number.tsx";

const useMoney = (value: unknown): string => moneyText(Number(value), useSession().tenant.currency);

export const money: Kind = {
  ...number,
  width: 120,
  Cell: ({ value }) => useMoney(value),
  Value: ({ value }) => useMoney(value),
  Input: (props) => {
    const { tenant } = useSession();
    return (
      <props.inputs.NumberField
        {...numberProps(props)}
        suffix={` ${tenant.currency}`}
        thousandSeparator=","
        decimalScale={6}
      />
    );
  },
};
