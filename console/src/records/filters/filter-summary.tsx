/** The applied conditions, each with a button to remove it. */

import { Group, Pill } from "@mantine/core";
import { kindFor } from "../../kinds/index.ts";
import { t } from "../../text/index.ts";
import type { RecordType } from "../../record/index.ts";
import type { TableProps } from "../list/index.ts";
import { columnLabel, type Condition, filterOf, filterKindOf } from "../fields/index.ts";
import { readDraft } from "./use-draft.ts";

export function FilterSummary({ type, search, onChange }: TableProps) {
  if (search.filter === undefined) return null;
  const draft = readDraft(type, search.filter);
  if (draft.as === "json") {
    return (
      <Group gap={6} mb="xs">
        <RemovablePill
          text={t.table.builder.asJson}
          onRemove={() => onChange({ filter: undefined })}
        />
      </Group>
    );
  }
  const { rows } = draft;
  const remove = (at: number) => {
    const conditions = rows.conditions.toSpliced(at, 1);
    const filter = filterOf({ ...rows, conditions }, (name) => filterKindOf(type, name));
    onChange({ filter: filter === undefined ? undefined : JSON.stringify(filter) });
  };
  return (
    <Group gap={6} mb="xs" role="group" aria-label={t.table.filter}>
      {rows.isAny && rows.conditions.length > 1 && `${t.table.builder.any}:`}
      {rows.conditions.map((condition, at) => (
        <ConditionPill
          key={`${condition.field} ${at}`}
          type={type}
          condition={condition}
          onRemove={() => remove(at)}
        />
      ))}
    </Group>
  );
}

interface ConditionPillProps {
  readonly type: RecordType;
  readonly condition: Condition;
  readonly onRemove: () => void;
}

function ConditionPill({ type, condition, onRemove }: ConditionPillProps) {
  const { field, operator, values } = condition;
  const { filtering } = kindFor(type, field);
  const { useText = useUnchanged } = filtering;
  const textOf = useText(type, field, values.map(String));
  const shown = values.map((value) => textOf(String(value)));
  // Show "Source is Google" instead of "Source is any of Google".
  const ofOne = shown.length === 1 ? t.table.operatorsOfOne[operator] : undefined;
  const label = (filtering.kind === "tags" ? undefined : ofOne) ?? t.table.operators[operator];
  const text = [columnLabel(type, field), label, shown.join(", ")];
  return <RemovablePill text={text.join(" ").trim()} onRemove={onRemove} />;
}

const useUnchanged = () => (value: string) => value;

interface RemovablePillProps {
  readonly text: string;
  readonly onRemove: () => void;
}

const RemovablePill = ({ text, onRemove }: RemovablePillProps) => (
  <Pill
    size="md"
    bd="1px solid var(--mantine-color-default-border)"
    withRemoveButton
    onRemove={onRemove}
    removeButtonProps={{
      "aria-label": `${t.common.remove}: ${text}`,
      tabIndex: 0,
      "aria-hidden": false,
    }}
  >
    {text}
  </Pill>
);
