/** A form's submit and cancel buttons. */

import { Button, Group } from "@mantine/core";
import { t } from "../../text/index.ts";

export interface FormEndProps {
  readonly onCancel: () => void;
  readonly isSending: boolean;
  readonly submit?: string;
  readonly disabled?: boolean;
}

export const FormEnd = ({
  onCancel,
  isSending,
  submit = t.common.save,
  ...button
}: FormEndProps) => (
  <Group justify="flex-end" gap="xs">
    <Button variant="default" onClick={onCancel}>
      {t.common.cancel}
    </Button>
    <Button type="submit" loading={isSending} {...button}>
      {submit}
    </Button>
  </Group>
);
