/** Rows of inputs that users can add and remove. */

import { ActionIcon, Button, Group, Input, Stack } from "@mantine/core";
import { IconPlus, IconTrash } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { t } from "../../text/index.ts";

export interface RowsInputProps {
  readonly label: string;
  readonly error: string | undefined;
  readonly rows: readonly ReactNode[];
  /** The label of the button that adds a row. */
  readonly add: string;
  readonly canAdd?: boolean;
  readonly onAdd: () => void;
  /** The accessible name of the button that removes a row. */
  readonly removeLabel: (at: number) => string;
  readonly onRemove: (at: number) => void;
}

export const RowsInput = ({
  label,
  error,
  rows,
  add,
  canAdd = true,
  onAdd,
  removeLabel,
  onRemove,
}: RowsInputProps) => (
  <Input.Wrapper component="fieldset" bd={0} p={0} m={0} miw={0} labelElement="div" error={error}>
    <Input.Label component="legend" p={0} mb={4}>
      {label}
    </Input.Label>
    <Stack gap="xs">
      {rows.map((row, at) => (
        <Group key={at} gap="xs" wrap="nowrap" align="flex-start">
          {row}
          <ActionIcon
            size={36}
            variant="subtle"
            color="gray"
            aria-label={removeLabel(at)}
            title={t.common.remove}
            onClick={() => onRemove(at)}
          >
            <IconTrash size={18} />
          </ActionIcon>
        </Group>
      ))}
      <Button
        variant="default"
        size="xs"
        w="fit-content"
        leftSection={<IconPlus size={14} aria-hidden />}
        disabled={!canAdd}
        onClick={onAdd}
      >
        {add}
      </Button>
    </Stack>
  </Input.Wrapper>
);
