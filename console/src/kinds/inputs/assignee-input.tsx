/** The input for a task's assignee. The default is the user who creates the task. */

import { useSession } from "../../api/index.ts";
import { t } from "../../text/index.ts";
import { SearchSelect } from "../../ui/forms/index.ts";
import { useUserNames } from "../../names/index.ts";
import { messageAt, type FieldProps } from "./field-props.ts";

export function AssigneeInput({ name, place = name, draft, issues, onChange }: FieldProps) {
  const { person } = useSession();
  const users = useUserNames();
  const value = (draft[name] ?? person.id) as string;
  const data = [
    ...users.map((user) => ({
      value: user.id,
      label: user.id === person.id ? t.record.me(user.name) : user.name,
    })),
    ...(users.some(({ id }) => id === value) ? [] : [{ value, label: t.record.otherAssignee }]),
  ];
  return (
    <SearchSelect
      label={t.record.assignee}
      data={data}
      value={value}
      onChange={(picked) => onChange({ [name]: picked })}
      searchable={data.length > 8}
      error={messageAt(issues, place)}
    />
  );
}
