/** The input for a field, which depends on the kind of field. */

import { Input, Text } from "@mantine/core";
import { kindFor } from "../../kinds/index.ts";
import { type FieldProps, type InputOrder, INPUTS, messageAt } from "../../kinds/inputs/index.ts";
import { t } from "../../text/index.ts";
import { isNothing } from "../../ui/format/index.ts";
import { fieldLabel, type Stored } from "../../record/index.ts";
import { SubjectInput } from "./subject-input.tsx";

/** Descriptions go below the inputs, so that inputs in a row align. */
const ORDER: InputOrder = ["label", "input", "description", "error"];

export function FieldInput(props: FieldProps) {
  const { type, name, place = name, draft, issues, onChange } = props;
  const field = type.fields[name];
  if (field === undefined) return null;
  if (name === type.subject_fields?.type) return <SubjectInput {...props} />;
  const kind = kindFor(type, name);
  const label = props.label ?? fieldLabel(name);
  if (kind.Input === undefined) return <ReadOnly {...props} label={label} />;
  return (
    <kind.Input
      {...props}
      field={field}
      value={draft[name] ?? null}
      set={(value) => onChange({ [name]: value })}
      common={{
        label,
        description: t.record.hints[name],
        required: field.required,
        error: messageAt(issues, place),
        inputWrapperOrder: ORDER,
      }}
      inputs={INPUTS}
    />
  );
}

/** The value of a field that cannot be edited, for example because its kind is newer than the pages. */
function ReadOnly({ type, name, draft, label }: FieldProps & { readonly label: string }) {
  const { Value } = kindFor(type, name);
  const value = draft[name];
  return (
    <Input.Wrapper label={label} labelElement="div">
      <Text size="sm">
        {isNothing(value) ? (
          t.common.none
        ) : (
          <Value type={type} record={draft as Stored} name={name} value={value} />
        )}
      </Text>
    </Input.Wrapper>
  );
}
