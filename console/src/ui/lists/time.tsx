/** A moment: how long ago, with the exact time at hand. */

import { Tooltip } from "@mantine/core";
import { t } from "../../text/index.ts";
import { dateTime, relative } from "../format/index.ts";

export interface TimeProps {
  /** Epoch seconds. */
  readonly at: number | null | undefined;
}

export function Time({ at }: TimeProps) {
  if (at === null || at === undefined) return t.common.none;
  return (
    <Tooltip label={dateTime(at)}>
      <time dateTime={new Date(at * 1000).toISOString()}>{relative(at)}</time>
    </Tooltip>
  );
}
