/** A button that asks for confirmation before an action that cannot be undone. */

import { Button, Group, Modal, Text, type ButtonProps } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import type { ReactNode } from "react";
import { t } from "../../text/index.ts";
import { Failure } from "../states/index.ts";
import { useSending } from "../../api/index.ts";

export interface Question {
  readonly title: string;
  readonly text: ReactNode;
  /** The label of the button that confirms. */
  readonly confirm: string;
  readonly work: () => Promise<unknown>;
  readonly onDone?: (() => unknown) | undefined;
}

export interface ConfirmModalProps {
  readonly question: Question;
  readonly isOpen?: boolean;
  readonly onClose: () => void;
}

export function ConfirmModal({ question, isOpen = true, onClose }: ConfirmModalProps) {
  const { title, text, confirm, work, onDone } = question;
  const sending = useSending(work, () => {
    onClose();
    return onDone?.();
  });
  return (
    <Modal opened={isOpen} onClose={onClose} title={title}>
      <Text size="sm">{text}</Text>
      <Failure error={sending.error} />
      <Group justify="flex-end" mt="lg" gap="xs">
        <Button variant="default" onClick={onClose} data-autofocus>
          {t.common.cancel}
        </Button>
        <Button color="red" loading={sending.isSending} onClick={() => sending.send(undefined)}>
          {confirm}
        </Button>
      </Group>
    </Modal>
  );
}

export interface ConfirmButtonProps extends ButtonProps, Question {
  readonly children: ReactNode;
}

export function ConfirmButton(props: ConfirmButtonProps) {
  const { children, title, text, confirm, work, onDone, ...button } = props;
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <>
      <Button variant="default" {...button} onClick={open}>
        {children}
      </Button>
      <ConfirmModal
        question={{ title, text, confirm, work, onDone }}
        isOpen={isOpen}
        onClose={close}
      />
    </>
  );
}
