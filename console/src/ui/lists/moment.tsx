/** A date or time with the exact time in a tooltip. */

import { Tooltip } from "@mantine/core";
import { exactTime } from "../format/index.ts";

export interface MomentProps {
  /** The time, in epoch seconds. */
  readonly at: number;
  /** The displayed text: "Nov 25, 2026". */
  readonly text: string;
}

export const Moment = ({ at, text }: MomentProps) => (
  <Tooltip label={exactTime(at)}>
    <time dateTime={new Date(at * 1000).toISOString()}>{text}</time>
  </Tooltip>
);
