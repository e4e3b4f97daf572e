/** The input for a condition's value, which depends on the kind of field. */

import { Group, TagsInput, TextInput } from "@mantine/core";
import { useSession } from "../../api/index.ts";
import { t } from "../../text/index.ts";
import { wordOptions } from "../../ui/format/index.ts";
import { NumberField, SearchMultiSelect } from "../../ui/forms/index.ts";
import type { RecordType } from "../../record/index.ts";
import { type Named, usePartnerNames, useUserNames } from "../../names/index.ts";
import { type Condition, type ConditionValue, type FilterField, valuesOf } from "../list/index.ts";
import { RecordPicker } from "./record-picker.tsx";

export interface ConditionInputProps {
  readonly type: RecordType;
  readonly field: FilterField;
  readonly condition: Condition;
  readonly error: string | undefined;
  readonly onChange: (values: readonly ConditionValue[]) => void;
}

export function ConditionInput(props: ConditionInputProps) {
  const { type, field, condition, error, onChange } = props;
  const wanted = valuesOf(condition.operator);
  if (wanted === 0) return null;
  const texts = condition.values.map(String);
  const many = { label: t.table.builder.value, value: texts, error, onChange, mt: "xs" };
  switch (field.kind) {
    case "choice":
      return <SearchMultiSelect {...many} data={wordOptions(field.choices)} clearable />;
    case "tags":
      return <TagsInput {...many} description={t.table.builder.values} />;
    case "person":
      return <PersonInput {...many} />;
    case "partner":
      return <PartnerInput {...many} />;
    case "reference":
      return <RecordPicker {...many} of={type} name={field.name} />;
    default:
      return (
        <Group gap="xs" mt="xs" align="flex-start" wrap="nowrap">
          {Array.from({ length: wanted === 2 ? 2 : 1 }, (_, at) => (
            <OneValue
              key={at}
              field={field}
              label={labelOf(wanted, at)}
              value={condition.values[at] ?? ""}
              error={error}
              onChange={(value) => {
                const values = Array.from({ length: at + 1 }, (_, k) => condition.values[k] ?? "");
                onChange([...values.with(at, value), ...condition.values.slice(at + 1)]);
              }}
            />
          ))}
        </Group>
      );
  }
}

const labelOf = (wanted: 1 | 2 | "many", at: number): string =>
  wanted !== 2 ? t.table.builder.value : at === 0 ? t.table.builder.from : t.table.builder.to;

interface OneValueProps {
  readonly field: FilterField;
  readonly label: string;
  readonly value: ConditionValue;
  readonly error: string | undefined;
  readonly onChange: (value: ConditionValue) => void;
}

function OneValue({ field: { kind }, label, value, error, onChange }: OneValueProps) {
  const shared = { label, error: value === "" && error, flex: 1 };
  if (kind === "number") {
    return <NumberField {...shared} value={value} onChange={onChange} />;
  }
  return (
    <TextInput
      {...shared}
      type={kind === "day" ? "date" : "text"}
      value={String(value)}
      maxLength={kind === "day" ? undefined : 100}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}

interface NamesInputProps {
  readonly label: string;
  readonly value: string[];
  readonly error: string | undefined;
  readonly onChange: (values: string[]) => void;
}

/** Returns the options. Selected options that no longer exist are included, so that users can remove them. */
const withChosen = (named: readonly Named[], chosen: readonly string[]) => [
  ...named.map(({ id, name }) => ({ value: id, label: name })),
  ...chosen
    .filter((id) => !named.some((one) => one.id === id))
    .map((id) => ({ value: id, label: t.record.unknown })),
];

function PersonInput(props: NamesInputProps) {
  const { person } = useSession();
  const named = useUserNames().map(({ id, name }) => ({
    id,
    name: id === person.id ? `${name} (${t.table.builder.me})` : name,
  }));
  return (
    <SearchMultiSelect
      {...props}
      data={withChosen(named, props.value)}
      placeholder={t.table.builder.pick}
      mt="xs"
    />
  );
}

function PartnerInput(props: NamesInputProps) {
  const { partners = [], mayRead } = usePartnerNames();
  return (
    <SearchMultiSelect
      {...props}
      data={withChosen(partners, props.value)}
      placeholder={t.table.builder.pick}
      description={mayRead ? undefined : t.table.builder.partnersHidden}
      mt="xs"
    />
  );
}
