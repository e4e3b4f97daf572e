/**
 * An input for a day. Its value is `YYYY-MM-DD`; the browser shows it in the format of its locale.
 */

import { TextInput, type TextInputProps } from "@mantine/core";
import { readDay } from "../../ui/days/index.ts";

export interface DayInputProps extends Omit<TextInputProps, "value" | "defaultValue" | "onChange"> {
  readonly value?: string | null;
  readonly onChange?: (day: string | null) => void;
  readonly minDate?: string;
  readonly maxDate?: string;
}

export const DayInput = ({ value, onChange, minDate, maxDate, ...props }: DayInputProps) => (
  <TextInput
    type="date"
    value={value ?? ""}
    min={minDate}
    max={maxDate}
    onChange={({ currentTarget }) => onChange?.(readDay(currentTarget.value) ?? null)}
    {...props}
  />
);
