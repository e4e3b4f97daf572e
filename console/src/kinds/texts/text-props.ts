/** The props of text inputs. An empty input stands for no value. */

import type { ChangeEvent } from "react";
import type { InputProps } from "../kind/index.ts";

/**
 * Prevents browsers from filling in the user's own data, because the record is about someone else.
 */
export const textProps = ({
  common,
  value,
  set,
}: Pick<InputProps, "common" | "value" | "set">) => ({
  ...common,
  autoComplete: "off",
  value: String(value ?? ""),
  onChange: ({ currentTarget }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
    set(currentTarget.value === "" ? null : currentTarget.value),
});
