/** The input for a task's subject: a record of any type, or free text. */

import { SimpleGrid, Select, TextInput } from "@mantine/core";
import { t } from "../../text/index.ts";
import { words } from "../../ui/format/index.ts";
import { fieldLabel, subjectType, subjectTypes, typeLabel } from "../../record/index.ts";
import { type FieldProps, messageAt, ReferenceInput } from "../../kinds/inputs/index.ts";

export function SubjectInput(props: FieldProps) {
  const { type, name, draft, issues, onChange, canCreate = false } = props;
  const id = type.subject_fields?.id ?? "";
  const word = (draft[name] ?? null) as string | null;
  const value = (draft[id] ?? null) as string | null;
  const about = subjectType(word);
  const known = subjectTypes().map((subject) => ({
    value: subject.subject_type ?? "",
    label: typeLabel(subject).one,
  }));
  const data =
    word === null || about !== undefined ? known : [...known, { value: word, label: words(word) }];
  const label = fieldLabel(id);
  const error = messageAt(issues, id);
  return (
    <SimpleGrid cols={word === null ? 1 : 2} spacing="xs">
      <Select
        label={fieldLabel(name)}
        data={data}
        value={word}
        clearable
        clearButtonProps={{ "aria-label": t.record.clear(fieldLabel(name)) }}
        onChange={(picked) => onChange({ [name]: picked, [id]: null })}
        error={messageAt(issues, name)}
      />
      {about !== undefined && (
        <ReferenceInput
          to={about}
          label={typeLabel(about).one}
          value={value}
          onChange={(picked) => onChange({ [id]: picked })}
          error={error}
          canCreate={canCreate}
        />
      )}
      {word !== null && about === undefined && (
        <TextInput
          label={label}
          value={value ?? ""}
          onChange={({ currentTarget }) => onChange({ [id]: currentTarget.value || null })}
          error={error}
        />
      )}
    </SimpleGrid>
  );
}
