/** A record's history: user, time, and old and new values. */

import { Text, Timeline, VisuallyHidden } from "@mantine/core";
import { IconArrowRight, IconHistory } from "@tabler/icons-react";
import { useList } from "../../api/index.ts";
import { t } from "../../text/index.ts";
import { QueryState } from "../../ui/states/index.ts";
import { words } from "../../ui/format/index.ts";
import { ShowMore, Time } from "../../ui/lists/index.ts";
import {
  type Draft,
  fieldLabel,
  readPath,
  type RecordType,
  type Stored,
} from "../../record/index.ts";
import { shownFields, type Change } from "./change.ts";
import classes from "./record-page.module.css";
import { Section } from "../../ui/frame/index.ts";
import { ShownValue } from "./shown-value.tsx";

export interface HistoryProps {
  readonly type: RecordType;
  readonly record: Stored;
}

const PAGE = { page_size: 10 };

export function History({ type, record }: HistoryProps) {
  const { items, query } = useList<Change>(`${readPath(type, record._id)}/history`, {
    query: PAGE,
  });
  return (
    <Section title={t.record.history}>
      <QueryState query={query} rows={3} />
      <Timeline bulletSize={22} lineWidth={2}>
        {items.map((change) => (
          <Timeline.Item
            key={change.id}
            bullet={<IconHistory size={12} aria-hidden />}
            title={<Headline change={change} />}
          >
            {change.action !== "created" && <Fields type={type} change={change} />}
          </Timeline.Item>
        ))}
      </Timeline>
      <ShowMore query={query} mt="md" size="xs" />
    </Section>
  );
}

const Headline = ({ change: { actor, action, at } }: { readonly change: Change }) => (
  <Text size="sm" fw={500}>
    {actor.kind === "service" ? t.record.service : actor.name}{" "}
    {t.record.historyActions[action] ?? words(action).toLowerCase()}{" "}
    <Text span size="xs" c="dimmed">
      <Time at={Date.parse(at) / 1000} />
    </Text>
  </Text>
);

interface FieldsProps {
  readonly type: RecordType;
  readonly change: Change;
}

function Fields({ type, change }: FieldsProps) {
  const shown = shownFields(type, change);
  const valuesOf = (when: "old" | "new"): Draft =>
    Object.fromEntries(Object.entries(change.fields).map(([name, both]) => [name, both[when]]));
  const before = valuesOf("old");
  const after = valuesOf("new");
  return shown.map((name) => (
    <div key={name} className={classes["change"]}>
      <Text span size="sm" c="dimmed">
        {fieldLabel(name)}
      </Text>
      <VisuallyHidden>{t.record.from} </VisuallyHidden>
      <ShownValue type={type} values={before} name={name} />
      <VisuallyHidden> {t.record.to} </VisuallyHidden>
      <IconArrowRight size={13} aria-hidden />
      <ShownValue type={type} values={after} name={name} />
    </div>
  ));
}
