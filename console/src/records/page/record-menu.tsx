/** Actions for developers: copy a record's ID, copy its request as curl, open the documentation. */

import { ActionIcon, Menu } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { IconApi, IconDotsVertical, IconId, IconTerminal2 } from "@tabler/icons-react";
import { t } from "../../text/index.ts";
import { readPath, type RecordType, type Stored } from "../../record/index.ts";

export interface RecordMenuProps {
  readonly type: RecordType;
  readonly record: Stored;
}

async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    notifications.show({ message: t.common.copied, color: "teal" });
  } catch {
    notifications.show({ message: t.common.notCopied(text), color: "red", autoClose: false });
  }
}

export function RecordMenu({ type, record }: RecordMenuProps) {
  const address = location.origin + readPath(type, record._id);
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <ActionIcon variant="default" size={36} aria-label={t.record.actions}>
          <IconDotsVertical size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={<IconId size={16} aria-hidden />}
          onClick={() => void copy(record._id)}
        >
          {t.record.copyId}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconTerminal2 size={16} aria-hidden />}
          onClick={() => void copy(`curl '${address}' -H "Authorization: Bearer $TOKEN"`)}
        >
          {t.record.copyCurl}
        </Menu.Item>
        <Menu.Item
          component="a"
          href={`/docs#tag/${type.plural}`}
          target="_blank"
          leftSection={<IconApi size={16} aria-hidden />}
        >
          {t.record.docs}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
