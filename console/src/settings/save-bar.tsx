/** The end of a form: saves it, and says what kept it from being saved. */

import { Button, Group, Text } from "@mantine/core";
import { t } from "../text/index.ts";
import { Failure } from "../ui/failure.tsx";
import type { Sending } from "../ui/use-sending.ts";

const text = t.integrations.callout;

export interface SaveBarProps {
  readonly sending: Pick<Sending<never>, "isSending" | "unplaced">;
  readonly isDirty: boolean;
}

export function SaveBar({ sending: { isSending, unplaced }, isDirty }: SaveBarProps) {
  return (
    <>
      <Failure error={unplaced} />
      <Group gap="md">
        <Button type="submit" loading={isSending}>
          {text.save}
        </Button>
        {isDirty && (
          <Text size="sm" c="dimmed">
            {text.unsaved}
          </Text>
        )}
      </Group>
    </>
  );
}
