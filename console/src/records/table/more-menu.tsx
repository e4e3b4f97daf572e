/** A menu that exports the current list or shows its request as a curl command. */

import { ActionIcon, Code, Menu, Modal, Stack, Text, Tooltip } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconDots, IconDownload, IconTerminal2 } from "@tabler/icons-react";
import { t } from "../../text/index.ts";
import { Copy } from "../../ui/forms/index.ts";
import type { RecordType } from "../../record/index.ts";
import {
  curlOf,
  EXPORT_FORMS,
  exportAddress,
  type ExportForm,
  type TableState,
} from "../list/index.ts";

const FORMS = Object.keys(EXPORT_FORMS) as readonly ExportForm[];

export interface MoreMenuProps {
  readonly type: RecordType;
  readonly search: TableState;
}

export function MoreMenu({ type, search }: MoreMenuProps) {
  const [isOpen, { open, close }] = useDisclosure();
  const curl = curlOf(type, search, location.origin);
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Tooltip label={t.table.more}>
            <ActionIcon variant="default" size={36} aria-label={t.table.more}>
              <IconDots size={18} aria-hidden />
            </ActionIcon>
          </Tooltip>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>{t.table.exportLabel}</Menu.Label>
          {FORMS.map((form) => (
            <Menu.Item
              key={form}
              component="a"
              href={exportAddress(type, search, form)}
              download={`${type.plural}.${EXPORT_FORMS[form].format}`}
              leftSection={<IconDownload size={16} aria-hidden />}
            >
              {t.table.exportAs[form]}
            </Menu.Item>
          ))}
          <Menu.Divider />
          <Menu.Item leftSection={<IconTerminal2 size={16} aria-hidden />} onClick={open}>
            {t.table.curl}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Modal opened={isOpen} onClose={close} title={t.table.curlTitle} size="lg">
        <Stack gap="sm" align="flex-start">
          <Text size="sm" c="dimmed">
            {t.table.curlHint}
          </Text>
          <Code block w="100%" tabIndex={0}>
            {curl}
          </Code>
          <Copy text={curl} />
        </Stack>
      </Modal>
    </>
  );
}
