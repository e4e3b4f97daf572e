/**
 * Edits the members of an object as rows of names and values. Numbers and booleans keep their
 * types.
 */

import { Input, Switch, TextInput } from "@mantine/core";
import { t } from "../../text/index.ts";
import { NestedValue } from "../../ui/lists/index.ts";
import { RowsInput } from "./rows-input.tsx";

export type Members = Readonly<Record<string, unknown>>;

export interface MembersInputProps {
  readonly label: string;
  readonly error?: string | undefined;
  readonly value: Members;
  /** Called with null when the last member is removed. */
  readonly onChange: (value: Members | null) => void;
}

const texts = t.record.members;

export function MembersInput({ label, error, value, onChange }: MembersInputProps) {
  const entries = Object.entries(value);
  const set = (next: readonly (readonly [string, unknown])[]) =>
    onChange(next.length === 0 ? null : Object.fromEntries(next));
  return (
    <RowsInput
      label={label}
      error={error}
      rows={entries.map(([name, member], at) => (
        <>
          <TextInput
            flex="0 1 12rem"
            aria-label={texts.nameOf(label, at + 1)}
            placeholder={texts.name}
            value={name}
            onChange={({ currentTarget }) => {
              // Ignore a name that is already in use. Otherwise, the two members would become one.
              if (Object.hasOwn(value, currentTarget.value)) return;
              set(entries.with(at, [currentTarget.value, member]));
            }}
          />
          <MemberValue
            label={texts.valueOf(label, at + 1)}
            value={member}
            onChange={(next) => set(entries.with(at, [name, next]))}
          />
        </>
      ))}
      add={texts.add}
      canAdd={!("" in value)}
      onAdd={() => set([...entries, ["", ""]])}
      removeLabel={(at) => texts.remove(label, at + 1)}
      onRemove={(at) => set(entries.toSpliced(at, 1))}
    />
  );
}

interface MemberValueProps {
  readonly label: string;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
}

function MemberValue({ label, value, onChange }: MemberValueProps) {
  if (typeof value === "boolean") {
    return (
      <Switch
        flex={1}
        mt={8}
        aria-label={label}
        label={value ? t.common.yes : t.common.no}
        checked={value}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
    );
  }
  if (typeof value === "object" && value !== null) {
    return (
      <Input.Wrapper flex={1} fz="sm" description={texts.nested}>
        <NestedValue value={value} />
      </Input.Wrapper>
    );
  }
  return (
    <TextInput
      flex={1}
      aria-label={label}
      placeholder={texts.value}
      value={String(value ?? "")}
      onChange={({ currentTarget }) => onChange(typed(currentTarget.value, value))}
    />
  );
}

/** Keeps the type of a number as long as the input is a number. */
const typed = (text: string, before: unknown): unknown =>
  typeof before === "number" && text.trim() !== "" && String(Number(text)) === text.trim()
    ? Number(text)
    : text;
