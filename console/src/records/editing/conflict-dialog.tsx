/**
 * Shown if another user changed the record in the meantime. For each field that both users changed, the editing user
 * chooses which value to keep.
 */

import { Button, Group, Modal, Radio, Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { readPage } from "../../api/index.ts";
import { t } from "../../text/index.ts";
import {
  type Draft,
  fieldLabel,
  readPath,
  type RecordType,
  type Stored,
} from "../../record/index.ts";
import { chosen, type Conflict, withMine, withTheirs } from "./conflict.ts";
import { type Change, ShownValue } from "../values/index.ts";

export interface ConflictDialogProps {
  readonly type: RecordType;
  readonly conflict: Conflict;
  readonly onClose: () => void;
  readonly onChoose: (changes: Draft) => void;
}

export function ConflictDialog({ type, conflict, onClose, onChoose }: ConflictDialogProps) {
  const { theirs, both, theirsAlone } = conflict;
  const [leftToThem, setLeftToThem] = useState<readonly string[]>([]);
  const by = useLastActor(type, theirs);
  const choose = (name: string, whose: string) =>
    setLeftToThem(
      whose === "theirs" ? [...leftToThem, name] : leftToThem.filter((other) => other !== name),
    );
  return (
    <Modal opened onClose={onClose} title={t.record.conflictTitle} size="lg">
      <Stack gap="md">
        <Text size="sm">{by === undefined ? t.record.conflictHint : t.record.conflictBy(by)}</Text>
        {both.length > 0 && (
          <Title order={3} fz="md">
            {t.record.conflictBoth}
          </Title>
        )}
        {both.map((name) => (
          <Radio.Group
            key={name}
            label={fieldLabel(name)}
            value={leftToThem.includes(name) ? "theirs" : "yours"}
            onChange={(whose) => choose(name, whose)}
          >
            <Stack gap={6} mt={6}>
              <Choice value="yours" label={t.record.yours}>
                <ShownValue type={type} values={withMine(conflict)} name={name} />
              </Choice>
              <Choice value="theirs" label={t.record.theirs}>
                <ShownValue type={type} values={withTheirs(type, conflict, name)} name={name} />
              </Choice>
            </Stack>
          </Radio.Group>
        ))}
        {theirsAlone.length > 0 && (
          <div>
            <Title order={3} fz="md" mb={4}>
              {t.record.conflictTheirs}
            </Title>
            {theirsAlone.map((name) => (
              <Group key={name} gap={6} fz="sm">
                <Text size="sm" fw={600}>
                  {fieldLabel(name)}
                </Text>
                <ShownValue type={type} values={withTheirs(type, conflict, name)} name={name} />
              </Group>
            ))}
          </div>
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {t.common.cancel}
          </Button>
          <Button onClick={() => onChoose(chosen(conflict, leftToThem))}>
            {t.record.conflictSave}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

interface ChoiceProps {
  readonly value: string;
  readonly label: string;
  readonly children: React.ReactNode;
}

const Choice = ({ value, label, children }: ChoiceProps) => (
  <Radio
    value={value}
    label={
      <Group gap={8} align="baseline">
        <Text span size="sm" c="dimmed" w={48}>
          {label}
        </Text>
        {children}
      </Group>
    }
  />
);

/** Returns the name of the user who changed the record last; undefined until loaded. */
function useLastActor(type: RecordType, { _id, version }: Stored): string | undefined {
  const last = useQuery({
    queryKey: ["list", "last", type.name, _id, version],
    queryFn: ({ signal }) =>
      readPage<Change>(`${readPath(type, _id)}/history`, { query: { page_size: 1 }, signal }),
  });
  return last.data?.items[0]?.actor.name;
}
