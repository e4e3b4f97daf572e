/** The applied conditions, each with a button to remove it. */

import { Group, Pill } from "@mantine/core";
import { useSession } from "../../api/index.ts";
import { t } from "../../text/index.ts";
import { date, startOfDay, words } from "../../ui/format/index.ts";
import type { RecordType } from "../../record/index.ts";
import { usePartnerNames, useRecordNames, useUserNames } from "../../names/index.ts";
import {
  columnLabel,
  type Condition,
  filterKindOf,
  filterOf,
  type TableProps,
  typesNamedBy,
} from "../list/index.ts";
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
  const kind = filterKindOf(type, field);
  const nameOf = useNamesIn(type, condition);
  const shown = values.map((value) => {
    if (kind === "choice") return words(String(value));
    if (kind === "day") return date(startOfDay(String(value)));
    return nameOf(String(value));
  });
  // Show "Source is Google" instead of "Source is any of Google".
  const ofOne = shown.length === 1 ? t.table.operatorsOfOne[operator] : undefined;
  const label = (kind === "tags" ? undefined : ofOne) ?? t.table.operators[operator];
  const text = [columnLabel(type, field), label, shown.join(", ")];
  return <RemovablePill text={text.join(" ").trim()} onRemove={onRemove} />;
}

/**
 * Returns a function that formats a value as the name of the record or option that it stands for. Any other value is
 * formatted as text.
 */
function useNamesIn(type: RecordType, { field, values }: Condition): (value: string) => string {
  const kind = filterKindOf(type, field);
  const { person } = useSession();
  const types = kind === "reference" ? typesNamedBy(type, field) : [];
  const recordName = useRecordNames(types, values.map(String));
  const { partners } = usePartnerNames(kind === "partner");
  const users = useUserNames(kind === "person");
  return (value) => {
    if (kind === "reference") return recordName(value);
    if (kind === "partner") {
      return partners?.find(({ id }) => id === value)?.name ?? t.record.unknown;
    }
    if (kind !== "person") return value;
    if (value === person.id) return t.table.builder.me;
    return users.find(({ id }) => id === value)?.name ?? t.record.unknown;
  };
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
