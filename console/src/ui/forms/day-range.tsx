/** Two inputs for a range of days. */

import { TextInput } from "@mantine/core";
import { readDay, type Days } from "../days/index.ts";

export interface DayRangeProps {
  readonly labels: Readonly<Record<"from" | "to", string>>;
  readonly value: Days;
  /** Called with the day that changed; undefined if it was cleared. */
  readonly onChange: (part: Days) => void;
}

export const DayRange = ({ labels, value: { from, to }, onChange }: DayRangeProps) => (
  <>
    <TextInput
      type="date"
      label={labels.from}
      value={from ?? ""}
      max={to}
      onChange={({ currentTarget }) => onChange({ from: readDay(currentTarget.value) })}
    />
    <TextInput
      type="date"
      label={labels.to}
      value={to ?? ""}
      min={from}
      onChange={({ currentTarget }) => onChange({ to: readDay(currentTarget.value) })}
    />
  </>
);
