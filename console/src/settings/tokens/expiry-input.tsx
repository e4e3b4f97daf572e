/** When a token expires: after a preset time, on a date, or never. */

import { Group, Select, TextInput } from "@mantine/core";
import { t } from "../../text/index.ts";
import { endOfDay, readDay } from "../../ui/days/index.ts";

const text = t.integrations.tokens;
const PRESETS = Object.keys(text.expiries) as (keyof typeof text.expiries)[];
const DAY_s = 86_400;

export interface Expiry {
  readonly preset: (typeof PRESETS)[number];
  /** The date as `YYYY-MM-DD`, if the preset is a date. */
  readonly day: string;
}

/**
 * Returns when the token expires, in epoch seconds; null for never. A date means the end of that
 * day in the user's time zone.
 */
export function expiresAt({ preset, day }: Expiry, now_ms: number): number | string | null {
  if (preset === "never") return null;
  if (preset !== "day") return Math.floor(now_ms / 1000) + Number(preset) * DAY_s;
  // Send an invalid date unchanged, so that the service reports it.
  return readDay(day) === undefined ? day : endOfDay(day);
}

export interface ExpiryInputProps {
  readonly value?: Expiry;
  readonly onChange?: (value: Expiry) => void;
  readonly error?: string | undefined;
}

export function ExpiryInput({ value, onChange, error }: ExpiryInputProps) {
  const { preset = "never", day = "" } = value ?? {};
  const isDay = preset === "day";
  return (
    <Group gap="md" align="flex-start" grow preventGrowOverflow={false}>
      <Select
        label={text.expiry}
        allowDeselect={false}
        data={PRESETS.toSorted(byLength).map((one) => ({ value: one, label: text.expiries[one] }))}
        value={preset}
        onChange={(chosen) => onChange?.({ preset: chosen ?? "never", day })}
        error={isDay ? undefined : error}
      />
      {isDay && (
        <TextInput
          type="date"
          label={text.expiryDay}
          required
          value={day}
          onChange={({ currentTarget }) => onChange?.({ preset, day: currentTarget.value })}
          error={error}
        />
      )}
    </Group>
  );
}

/** Sorts numeric presets first, in ascending order. */
const byLength = (one: string, other: string) =>
  (Number(one) || Number.MAX_SAFE_INTEGER) - (Number(other) || Number.MAX_SAFE_INTEGER);
