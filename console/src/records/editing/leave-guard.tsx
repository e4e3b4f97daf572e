/** Asks for confirmation before the user leaves a page with unsaved changes. */

import { Button, Group, Modal, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useBlocker } from "@tanstack/react-router";
import { useRef, type ReactNode } from "react";
import { sessionQuery } from "../../api/index.ts";
import { t } from "../../text/index.ts";
import { LinkButton } from "../../ui/states/index.ts";

export interface LeaveGuard {
  readonly onDirty: (isDirty: boolean) => void;
  /** The confirmation dialog, to be rendered on the page. */
  readonly dialog: ReactNode;
}

export function useLeaveGuard(): LeaveGuard {
  // Use a ref rather than state, because the user may leave right after saving, before the next render.
  const isDirty = useRef(false);
  const { status, next, proceed, reset } = useBlocker({
    shouldBlockFn: () => isDirty.current,
    enableBeforeUnload: () => isDirty.current,
    withResolver: true,
  });
  const hasEnded = next?.pathname === "/sign-in" && "ended" in next.search;
  return {
    onDirty: (now) => {
      isDirty.current = now;
    },
    dialog: (
      <Modal
        opened={status === "blocked"}
        onClose={() => reset?.()}
        title={hasEnded ? t.record.endedTitle : t.record.leaveTitle}
      >
        <Text size="sm">{hasEnded ? t.record.ended : t.record.leave}</Text>
        <Group justify="flex-end" mt="lg" gap="xs">
          <Button variant="default" color="red" onClick={() => proceed?.()}>
            {t.record.leaveAnyway}
          </Button>
          {hasEnded ? (
            <SignInAgain onClick={() => reset?.()} />
          ) : (
            <Button data-autofocus onClick={() => reset?.()}>
              {t.record.stay}
            </Button>
          )}
        </Group>
      </Modal>
    ),
  };
}

/** Opens the sign-in page in a new tab, so that the input stays on this page. */
function SignInAgain({ onClick }: { readonly onClick: () => void }) {
  const queries = useQueryClient();
  return (
    <LinkButton
      to="/sign-in"
      target="_blank"
      data-autofocus
      onClick={() => {
        onClick();
        // Another user may sign in. The session is loaded when this page has the focus again.
        void queries.invalidateQueries({ queryKey: sessionQuery.queryKey, refetchType: "none" });
      }}
    >
      {t.record.signInAgain}
    </LinkButton>
  );
}
