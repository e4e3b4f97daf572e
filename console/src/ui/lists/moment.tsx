/** A moment as a date, or with its time, and the exact time at hand. */

import { Tooltip } from "@mantine/core";
import { exactTime } from "../format/index.ts";

export interface MomentProps {
  /** Epoch seconds. */
  readonly at: number;
  /** How it is shown: "Nov 25, 2026". */
  readonly text: string;
}

export const Moment = ({ at, text }: MomentProps) => (
  <Tooltip label={exactTime(at)}>
    <time dateTime={new Date(at * 1000).toISOString()}>{text}</time>
  </Tooltip>
);
