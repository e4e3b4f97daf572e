/** Formats the number of deals and their total value: "2 deals · $1,250". */

import { t } from "../text/index.ts";
import { money, number } from "../ui/format/index.ts";

export interface Worth {
  readonly count: number;
  readonly value: number;
}

export const worth = ({ count, value }: Worth, currency: string): string =>
  count === 1
    ? t.board.worthOne(money(value, currency))
    : t.board.worth(number(count), money(value, currency));
