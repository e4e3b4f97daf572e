/** The inputs for the values of a filter condition. A kind of field uses one of them. */

import { Group, TagsInput, TextInput } from "@mantine/core";
import { Fragment } from "react";
import { useSession } from "../../api/index.ts";
import { type Named, usePartnerNames, useUserNames } from "../../names/index.ts";
import type { RecordType } from "../../record/index.ts";
import { t } from "../../text/index.ts";
import { wordOptions } from "../../ui/format/index.ts";
import { NumberField, SearchMultiSelect } from "../../ui/forms/index.ts";
import { RecordPicker } from "./record-picker.tsx";

/** A day is a string such as `2026-01-31`, in the user's time zone. */
export type ConditionValue = string | number;

export interface ConditionProps {
  readonly type: RecordType;
  readonly name: string;
  readonly choices: readonly string[];
  readonly values: readonly ConditionValue[];
  /** The number of values that the operator takes. `many` means one or more. */
  readonly wanted: 1 | 2 | "many";
  readonly error: string | undefined;
  readonly onChange: (values: readonly ConditionValue[]) => void;
}

/** Returns the props of an input with several values. */
const manyOf = ({ values, error, onChange }: ConditionProps) => ({
  label: t.table.builder.value,
  value: values.map(String),
  error,
  onChange,
  mt: "xs",
});

const ChoicesCondition = (props: ConditionProps) => (
  <SearchMultiSelect {...manyOf(props)} data={wordOptions(props.choices)} clearable />
);

const TagsCondition = (props: ConditionProps) => (
  <TagsInput {...manyOf(props)} description={t.table.builder.values} />
);

const RecordsCondition = (props: ConditionProps) => (
  <RecordPicker {...manyOf(props)} of={props.type} name={props.name} />
);

const UsersCondition = (props: ConditionProps) => <PersonInput {...manyOf(props)} />;

const PartnersCondition = (props: ConditionProps) => <PartnerInput {...manyOf(props)} />;

const NumbersCondition = (props: ConditionProps) => (
  <Values
    {...props}
    input={({ value, ...one }) => <NumberField {...one} value={value} onChange={one.onChange} />}
  />
);

const DaysCondition = (props: ConditionProps) => (
  <Values
    {...props}
    input={({ value, onChange, ...one }) => (
      <TextInput
        {...one}
        type="date"
        value={String(value)}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    )}
  />
);

const TextCondition = (props: ConditionProps) => (
  <Values
    {...props}
    input={({ value, onChange, ...one }) => (
      <TextInput
        {...one}
        type="text"
        value={String(value)}
        maxLength={100}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    )}
  />
);

interface OneValueProps {
  readonly label: string;
  readonly value: ConditionValue;
  readonly error: string | false | undefined;
  readonly flex: number;
  readonly onChange: (value: ConditionValue) => void;
}

interface ValuesProps extends ConditionProps {
  readonly input: (props: OneValueProps) => React.ReactNode;
}

/** One input or, for a range, two. */
const Values = ({ values, wanted, error, onChange, input }: ValuesProps) => (
  <Group gap="xs" mt="xs" align="flex-start" wrap="nowrap">
    {Array.from({ length: wanted === 2 ? 2 : 1 }, (_, at) => {
      const value = values[at] ?? "";
      return (
        <Fragment key={at}>
          {input({
            label: labelOf(wanted, at),
            value,
            error: value === "" && error,
            flex: 1,
            onChange: (next) => {
              const before = Array.from({ length: at + 1 }, (__, k) => values[k] ?? "");
              onChange([...before.with(at, next), ...values.slice(at + 1)]);
            },
          })}
        </Fragment>
      );
    })}
  </Group>
);

const labelOf = (wanted: 1 | 2 | "many", at: number): string =>
  wanted !== 2 ? t.table.builder.value : at === 0 ? t.table.builder.from : t.table.builder.to;

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

/** The inputs, by name. */
export const CONDITIONS = {
  ChoicesCondition,
  DaysCondition,
  NumbersCondition,
  PartnersCondition,
  RecordsCondition,
  TagsCondition,
  TextCondition,
  UsersCondition,
};
