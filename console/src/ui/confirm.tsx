/** A button whose deed is asked about first, since it cannot be undone. */

import { Button, Group, Modal, Text, type ButtonProps } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import type { ReactNode } from "react";
import { t } from "../text/index.ts";
import { Failure } from "./failure.tsx";
import { useSending } from "./use-sending.ts";

export interface ConfirmButtonProps extends ButtonProps {
  readonly children: ReactNode;
  readonly title: string;
  readonly text: ReactNode;
  /** The word on the button that does it. */
  readonly confirm: string;
  readonly work: () => Promise<unknown>;
  readonly onDone?: () => unknown;
}

export function ConfirmButton(props: ConfirmButtonProps) {
  const { children, title, text, confirm, work, onDone, ...button } = props;
  const [isOpen, { open, close }] = useDisclosure();
  const sending = useSending(work, () => {
    close();
    return onDone?.();
  });
  return (
    <>
      <Button variant="default" {...button} onClick={open}>
        {children}
      </Button>
      <Modal
        opened={isOpen}
        onClose={close}
        title={title}
        closeButtonProps={{ "aria-label": t.common.close }}
      >
        <Text size="sm">{text}</Text>
        {sending.error !== null && <Failure error={sending.error} />}
        <Group justify="flex-end" mt="lg" gap="xs">
          <Button variant="default" onClick={close} data-autofocus>
            {t.common.cancel}
          </Button>
          <Button color="red" loading={sending.isSending} onClick={() => sending.send(undefined)}>
            {confirm}
          </Button>
        </Group>
      </Modal>
    </>
  );
}
