/** Who a task is for: whoever creates it, or whoever has it. */

import { Select } from "@mantine/core";
import { useSession } from "../../api/index.ts";
import { t } from "../../text/index.ts";
import { messageAt, type FieldProps } from "./field-props.ts";

export function AssigneeInput({ name, place = name, draft, issues, onChange }: FieldProps) {
  const { person } = useSession();
  const value = (draft[name] ?? person.id) as string;
  const data = [
    { value: person.id, label: t.record.me(person.name) },
    ...(value === person.id ? [] : [{ value, label: t.record.otherPerson }]),
  ];
  return (
    <Select
      label={t.record.assignee}
      data={data}
      value={value}
      onChange={(picked) => onChange({ [name]: picked })}
      allowDeselect={false}
      error={messageAt(issues, place)}
    />
  );
}
