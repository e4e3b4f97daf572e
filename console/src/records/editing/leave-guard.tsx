/** Asks for confirmation before the user leaves a page with unsaved changes. */

import { Button, Group, Modal, Text } from "@mantine/core";
import { useBlocker } from "@tanstack/react-router";
import { useRef, type ReactNode } from "react";
import { t } from "../../text/index.ts";

export interface LeaveGuard {
  readonly onDirty: (isDirty: boolean) => void;
  /** The confirmation dialog, to be rendered on the page. */
  readonly dialog: ReactNode;
}

export function useLeaveGuard(): LeaveGuard {
  // Use a ref rather than state, because the user may leave right after saving, before the next render.
  const isDirty = useRef(false);
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: () => isDirty.current,
    enableBeforeUnload: () => isDirty.current,
    withResolver: true,
  });
  return {
    onDirty: (now) => {
      isDirty.current = now;
    },
    dialog: (
      <Modal opened={status === "blocked"} onClose={() => reset?.()} title={t.record.leaveTitle}>
        <Text size="sm">{t.record.leave}</Text>
        <Group justify="flex-end" mt="lg" gap="xs">
          <Button variant="default" color="red" onClick={() => proceed?.()}>
            {t.record.leaveAnyway}
          </Button>
          <Button data-autofocus onClick={() => reset?.()}>
            {t.record.stay}
          </Button>
        </Group>
      </Modal>
    ),
  };
}
