/**
 * A number input that passes on every number as a number. While the user types, Mantine's own input passes on "1500.50"
 * as text, because the number 1500.5 would remove the zero from the input.
 */

import { NumberInput, type NumberInputProps } from "@mantine/core";
import { useState } from "react";
import { typedNumber } from "../format/index.ts";

export interface NumberFieldProps extends Omit<NumberInputProps, "value" | "onChange"> {
  readonly value: number | string;
  /** Called with text only if the input is empty or not a number. */
  readonly onChange: (value: number | string) => void;
}

export function NumberField({ value, onChange, ...input }: NumberFieldProps) {
  const [typed, setTyped] = useState(value);
  return (
    <NumberInput
      {...input}
      hideControls
      value={typedNumber(typed) === value ? typed : value}
      onChange={(next) => {
        setTyped(next);
        onChange(typedNumber(next));
      }}
    />
  );
}
