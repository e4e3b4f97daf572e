/** The input for an object field: text, or named values that are entered without writing JSON. */

import { Button, Textarea } from "@mantine/core";
import { t } from "../../text/index.ts";
import type { InputOrder } from "./field-props.ts";
import type { Members } from "./member-rows.ts";
import { MembersInput } from "./members-input.tsx";

export interface FreeInputProps {
  readonly label: string;
  readonly required?: boolean;
  readonly error?: string | undefined;
  readonly inputWrapperOrder?: InputOrder;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
}

const isMembers = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export function FreeInput({ value, onChange, ...input }: FreeInputProps) {
  if (isMembers(value)) {
    return (
      <MembersInput label={input.label} error={input.error} value={value} onChange={onChange} />
    );
  }
  const text = typeof value === "string" ? value : "";
  return (
    <>
      <Textarea
        {...input}
        autosize
        minRows={2}
        maxRows={16}
        value={text}
        onChange={({ currentTarget }) =>
          onChange(currentTarget.value === "" ? null : currentTarget.value)
        }
      />
      {text === "" && (
        <Button
          variant="subtle"
          size="compact-xs"
          mt={4}
          onClick={() => onChange({ "": "" } satisfies Members)}
        >
          {t.record.members.asMembers}
        </Button>
      )}
    </>
  );
}
