/** A record's status, with a menu to change it. */

import { Button, Menu } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { IconCheck, IconChevronDown } from "@tabler/icons-react";
import { useRef, useState } from "react";
import { t } from "../../text/index.ts";
import { Failure } from "../../ui/states/index.ts";
import { words } from "../../ui/format/index.ts";
import { StatusBadge } from "../../ui/lists/index.ts";
import {
  asksForReason,
  type Draft,
  fieldLabel,
  type RecordType,
  type Stored,
} from "../../record/index.ts";
import { LostReasonDialog } from "./lost-reason-dialog.tsx";
import { useEditing } from "./use-editing.tsx";

export interface StatusMenuProps {
  readonly type: RecordType;
  readonly record: Stored;
}

export function StatusMenu({ type, record }: StatusMenuProps) {
  const editing = useEditing(type, () =>
    notifications.show({ message: t.record.saved, color: "teal" }),
  );
  const target = useRef<HTMLButtonElement>(null);
  const [lostStatus, setLostStatus] = useState<string>();
  const field = type.fields[type.status_field];
  const status = String(record[type.status_field]);
  if (field?.options === undefined) return <StatusBadge value={status} />;
  const change = (word: string, more: Draft = {}) =>
    editing.send({ base: record, changes: { [type.status_field]: word, ...more } });
  return (
    <>
      <Menu position="bottom-start">
        <Menu.Target>
          <Button
            ref={target}
            variant="default"
            size="compact-md"
            loading={editing.isSending}
            aria-label={t.record.statusOf(fieldLabel(type.status_field), words(status))}
            rightSection={<IconChevronDown size={14} aria-hidden />}
            px={6}
          >
            <StatusBadge value={status} />
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {field.options.map((word) => (
            <Menu.Item
              key={word}
              rightSection={word === status ? <IconCheck size={14} aria-hidden /> : undefined}
              aria-current={word === status ? "true" : undefined}
              onClick={() => {
                if (word === status) return;
                if (asksForReason(type, word)) setLostStatus(word);
                else change(word);
              }}
            >
              {words(word)}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      {lostStatus !== undefined && (
        <LostReasonDialog
          name={record.name}
          onClose={() => setLostStatus(undefined)}
          onReason={(lost_reason) => {
            setLostStatus(undefined);
            change(lostStatus, lost_reason === null ? {} : { lost_reason });
          }}
          returnFocus={() => target.current?.focus()}
        />
      )}
      <Failure error={editing.error} />
      {editing.dialog}
    </>
  );
}
