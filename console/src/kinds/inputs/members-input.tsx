/**
 * Edits the members of an object as rows of names and values. Numbers and booleans keep their
 * types.
 */

import { Input, Switch, TextInput } from "@mantine/core";
import { useState } from "react";
import { t } from "../../text/index.ts";
import { NestedValue } from "../../ui/lists/index.ts";
import {
  isRepeated,
  type MemberRow,
  type Members,
  membersOf,
  rowsOfMembers,
} from "./member-rows.ts";
import { RowsInput } from "./rows-input.tsx";

export interface MembersInputProps {
  readonly label: string;
  readonly error?: string | undefined;
  readonly value: Members;
  /** Called with null when the last member is removed. */
  readonly onChange: (value: Members | null) => void;
}

const texts = t.record.members;

export function MembersInput({ label, error, value, onChange }: MembersInputProps) {
  const [rows, setRows] = useState(() => rowsOfMembers(value));
  const [known, setKnown] = useState(value);
  // The value was replaced from outside, for example after a conflict.
  if (known !== value) {
    setKnown(value);
    setRows(rowsOfMembers(value));
  }
  const set = (next: readonly MemberRow[]) => {
    setRows(next);
    const members = membersOf(next);
    // Two members with the same name would become one. The previous object is kept until the name differs.
    if (members === undefined) return;
    if (members !== null) setKnown(members);
    onChange(members);
  };
  return (
    <RowsInput
      label={label}
      error={error}
      rows={rows.map((row, at) => (
        <>
          <TextInput
            flex="0 1 12rem"
            aria-label={texts.nameOf(label, at + 1)}
            placeholder={texts.name}
            value={row.name}
            error={isRepeated(rows, at) && texts.repeated}
            // Show the object that is kept.
            onBlur={() => membersOf(rows) === undefined && setRows(rowsOfMembers(known))}
            onChange={({ currentTarget }) =>
              set(rows.with(at, { ...row, name: currentTarget.value }))
            }
          />
          <MemberValue
            label={texts.valueOf(label, at + 1)}
            value={row.value}
            onChange={(next) => set(rows.with(at, { ...row, value: next }))}
          />
        </>
      ))}
      add={texts.add}
      canAdd={rows.every(({ name }) => name !== "")}
      onAdd={() => set([...rows, { name: "", value: "" }])}
      removeLabel={(at) => texts.remove(label, at + 1)}
      onRemove={(at) => set(rows.toSpliced(at, 1))}
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
