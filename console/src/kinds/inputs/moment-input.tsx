/**
 * An input for a date and, for fields in which it matters, a time. Both are in the user's time zone. Values are in
 * epoch seconds, as in the API.
 */

import { Group, TextInput } from "@mantine/core";
import dayjs from "dayjs";
import { useState } from "react";
import { t } from "../../text/index.ts";
import { hasTime } from "../../record/index.ts";
import type { InputOrder } from "./field-props.ts";

const WORK_BEGINS = "09:00";

export interface MomentInputProps {
  readonly name: string;
  readonly label: string;
  readonly description?: string | undefined;
  readonly required?: boolean;
  readonly error?: string | undefined;
  readonly size?: "xs";
  readonly inputWrapperOrder?: InputOrder;
  readonly value: number | null;
  readonly onChange: (at_s: number | null) => void;
}

export function MomentInput({ name, label, value, onChange, ...input }: MomentInputProps) {
  const [isHalf, setHalf] = useState(false);
  const isTimed = hasTime(name);
  const at = value === null ? undefined : dayjs.unix(value);
  const day = at?.format("YYYY-MM-DD") ?? "";
  const time = at?.format("HH:mm") ?? "";
  const set = (newDay: string, newTime: string) => {
    // Keep the time when the day changes.
    const moved = dayjs(`${newDay}T${newTime || (isTimed ? WORK_BEGINS : "00:00")}`);
    onChange(newDay === "" || !moved.isValid() ? null : moved.unix());
  };
  const { error = isHalf ? t.record.halfDate : undefined } = input;
  const dayInput = (
    <TextInput
      {...input}
      error={error}
      label={label}
      type="date"
      max="9999-12-31"
      flex={1}
      value={day}
      onChange={({ currentTarget }) => set(currentTarget.value, time)}
      onBlur={({ currentTarget }) => setHalf(currentTarget.validity.badInput)}
    />
  );
  if (!isTimed) return dayInput;
  return (
    <Group gap="xs" align="flex-start" wrap="nowrap">
      {dayInput}
      <TextInput
        label={t.record.time}
        aria-label={t.record.timeOf(label)}
        type="time"
        {...(input.size !== undefined && { size: input.size })}
        w={input.size === undefined ? 120 : 104}
        disabled={value === null}
        value={time}
        onChange={({ currentTarget }) => set(day, currentTarget.value)}
      />
    </Group>
  );
}
