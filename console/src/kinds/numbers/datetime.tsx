/** A point in time, in epoch seconds. Where the time of day does not matter, only the date is shown. */

import { hasTime, momentText } from "../../record/index.ts";
import { date, exactTime, relative } from "../../ui/format/index.ts";
import { Moment } from "../../ui/lists/index.ts";
import { DAYS } from "../filtering/index.ts";
import type { Kind } from "../kind/index.ts";

export const datetime: Kind = {
  width: 125,
  isShort: true,
  Cell: ({ name, value }) => {
    const at = Number(value);
    return (
      <time dateTime={new Date(at * 1000).toISOString()} title={exactTime(at)}>
        {hasTime(name) ? relative(at) : date(at)}
      </time>
    );
  },
  Value: ({ name, value }) => <Moment at={Number(value)} text={momentText(name, Number(value))} />,
  Input: ({ inputs, common, name, value, set }) => (
    <inputs.MomentInput
      {...common}
      name={name}
      value={typeof value === "number" ? value : null}
      onChange={set}
    />
  ),
  filtering: DAYS,
};
