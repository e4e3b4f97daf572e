/** One condition in a filter: field, operator and value. */

import { ActionIcon, Fieldset, Group, Select } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";
import { t } from "../../text/index.ts";
import type { RecordType } from "../../record/index.ts";
import { CONDITIONS } from "../../kinds/conditions/index.ts";
import {
  type Condition,
  isComplete,
  type Operator,
  OPERATORS,
  valuesOf,
  emptyCondition,
  type FilterField,
} from "../fields/index.ts";

export interface ConditionRowProps {
  readonly type: RecordType;
  readonly at: number;
  readonly fields: readonly FilterField[];
  readonly condition: Condition;
  /** Whether the user has tried to apply the filter. If so, missing values are marked. */
  readonly isTried: boolean;
  readonly onChange: (condition: Condition) => void;
  readonly onRemove: () => void;
}

export function ConditionRow(props: ConditionRowProps) {
  const { type, at, fields, condition, isTried, onChange, onRemove } = props;
  const field = fields.find(({ name }) => name === condition.field);
  if (field === undefined) return null;
  const setOperator = (operator: Operator) => {
    const isSame = valuesOf(operator) === valuesOf(condition.operator);
    onChange({ ...condition, operator, values: isSame ? condition.values : [] });
  };
  const wanted = valuesOf(condition.operator);
  const ConditionInput = field.filtering.input(CONDITIONS);
  return (
    <Fieldset
      legend={t.table.builder.condition(at + 1)}
      p="sm"
      styles={{ legend: { fontSize: "var(--mantine-font-size-xs)" } }}
    >
      <Group align="flex-end" gap="xs" wrap="nowrap">
        <Select
          label={t.table.builder.field}
          data={fields.map(({ name, label }) => ({ value: name, label }))}
          value={field.name}
          allowDeselect={false}
          flex={1}
          onChange={(name) => {
            const next = fields.find((other) => other.name === name);
            if (next !== undefined) onChange(emptyCondition(next));
          }}
        />
        <Select
          label={t.table.builder.operator}
          data={OPERATORS[field.kind].map((value) => ({ value, label: t.table.operators[value] }))}
          value={condition.operator}
          allowDeselect={false}
          flex={1}
          onChange={(value) => value !== null && setOperator(value)}
        />
        <ActionIcon
          variant="default"
          size={36}
          aria-label={t.table.builder.remove(at + 1)}
          onClick={onRemove}
        >
          <IconTrash size={16} aria-hidden />
        </ActionIcon>
      </Group>
      {wanted !== 0 && (
        <ConditionInput
          type={type}
          name={field.name}
          choices={field.choices}
          values={condition.values}
          wanted={wanted}
          error={isTried && !isComplete(condition) ? t.table.builder.incomplete : undefined}
          onChange={(values) => onChange({ ...condition, values })}
        />
      )}
    </Fieldset>
  );
}
