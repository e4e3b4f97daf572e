/** A form's save button, and the reason if saving failed. */

import { Button, Group, Text } from "@mantine/core";
import { t } from "../../text/index.ts";
import { Failure } from "../states/index.ts";
import type { Sending } from "../../api/index.ts";

export interface SaveBarProps {
  readonly sending: Pick<Sending<never>, "isSending" | "unplaced">;
  readonly isDirty?: boolean;
  readonly submit?: string;
}

export const SaveBar = ({ sending, isDirty = false, submit = t.common.save }: SaveBarProps) => (
  <>
    <Failure error={sending.unplaced} />
    <Group gap="md">
      <Button type="submit" loading={sending.isSending}>
        {submit}
      </Button>
      {isDirty && (
        <Text size="sm" c="dimmed">
          {t.common.unsaved}
        </Text>
      )}
    </Group>
  </>
);
