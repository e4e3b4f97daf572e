/** The props of number inputs. */

import { t } from "../../text/index.ts";
import type { InputProps } from "../kind/index.ts";

/** Whether the field shows the total of the lines. It does so until the user enters another value. */
const showsTotal = ({ field: { sum_of }, draft }: InputProps): boolean => {
  const lines = sum_of === undefined ? undefined : draft[sum_of.lines];
  return Array.isArray(lines) && lines.length > 0;
};

/** Input that is not a number is returned unchanged, so that the service can report it. */
export function numberProps(props: InputProps) {
  const { common, value, set } = props;
  return {
    ...common,
    description: showsTotal(props) ? t.record.follows : common.description,
    value: typeof value === "number" ? value : String(value ?? ""),
    onChange: (next: number | string) => set(next === "" ? null : next),
    clampBehavior: "none",
  } as const;
}
