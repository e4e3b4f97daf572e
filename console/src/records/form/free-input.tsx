/** An object, written as JSON, or any other text. */

import { Textarea } from "@mantine/core";
import { useState } from "react";
import { t } from "../../text/index.ts";
import type { InputOrder } from "./field-props.ts";

export interface FreeInputProps {
  readonly label: string;
  readonly required?: boolean;
  readonly error?: string | undefined;
  readonly inputWrapperOrder?: InputOrder;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
}

const textOf = (value: unknown): string =>
  value === null ? "" : typeof value === "string" ? value : JSON.stringify(value, null, 2);

/** The object that a text is; the text itself where it is none. */
function valueOf(text: string): unknown {
  if (text.trim() === "") return null;
  try {
    const parsed = JSON.parse(text) as unknown;
    return typeof parsed === "object" && !Array.isArray(parsed) ? parsed : text;
  } catch {
    return text;
  }
}

export function FreeInput({ value, onChange, ...input }: FreeInputProps) {
  const [text, setText] = useState(() => textOf(value));
  const isObject = typeof value === "object" && value !== null;
  return (
    <Textarea
      {...input}
      description={isObject ? t.record.keptAsObject : t.record.keptAsText}
      autosize
      minRows={2}
      maxRows={16}
      spellCheck={false}
      value={text}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value);
        onChange(valueOf(currentTarget.value));
      }}
    />
  );
}
