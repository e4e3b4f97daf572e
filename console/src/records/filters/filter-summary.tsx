/** The conditions that are applied, each with a way to take it away. */

import { Group, Pill } from "@mantine/core";
import { useSession } from "../../api/index.ts";
import { t } from "../../text/index.ts";
import { date, startOfDay, words } from "../../ui/format/index.ts";
import { referenceOf, type RecordType } from "../record/index.ts";
import {
  columnLabel,
  type Condition,
  filterKindOf,
  filterOf,
  type TableProps,
  useRecordNames,
} from "../list/index.ts";
import { readDraft } from "./use-draft.ts";

const TEXT_MAX = 80;

export function FilterSummary({ type, search, onChange }: TableProps) {
  if (search.filter === undefined) return null;
  const draft = readDraft(type, search.filter);
  if (draft.as === "json") {
    const { text } = draft;
    return (
      <Group gap={6} mb="xs">
        <RemovablePill
          text={text.length > TEXT_MAX ? t.table.builder.asJson : text}
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
  const { person } = useSession();
  const kind = filterKindOf(type, field);
  const names = useRecordNames(
    kind === "reference" ? referenceOf(type, field) : undefined,
    values.map(String),
  );
  const shown = values.map((value) => {
    if (kind === "choice") return words(String(value));
    if (kind === "day") return date(startOfDay(String(value)));
    if (kind === "person" && value === person.id) return t.table.builder.me;
    return names.get(String(value)) ?? String(value);
  });
  const text = [columnLabel(type, field), t.table.operators[operator], shown.join(", ")];
  return <RemovablePill text={text.join(" ").trim()} onRemove={onRemove} />;
}

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
