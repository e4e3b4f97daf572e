/** The keyboard shortcuts for reviewing, and a switch to turn them off. */

import { Group, Kbd, Modal, Switch, Table } from "@mantine/core";
import { t } from "../text/index.ts";
import { Failure } from "../ui/states/index.ts";
import { useKeysWanted } from "./decide/index.ts";

export interface KeysDialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

export function KeysDialog({ isOpen, onClose }: KeysDialogProps) {
  const { value, saving } = useKeysWanted();
  return (
    <Modal opened={isOpen} onClose={onClose} title={t.review.keys}>
      <Switch
        label={t.review.keysOn}
        description={t.review.keysHint}
        checked={value}
        disabled={saving.isSending}
        onChange={(event) => saving.send(event.currentTarget.checked)}
        mb="md"
      />
      <Failure error={saving.error} />
      <Table aria-label={t.review.keys} verticalSpacing={6}>
        <Table.Tbody>
          {t.review.keyList.map(({ keys, does }) => (
            <Table.Tr key={does}>
              <Table.Th scope="row" w={150}>
                <Group gap={4}>
                  {keys.map((key) => (
                    <Kbd key={key}>{key}</Kbd>
                  ))}
                </Group>
              </Table.Th>
              <Table.Td>{does}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Modal>
  );
}
