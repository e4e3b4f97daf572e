/** Why a lead is rejected: one of the reasons at hand by its number, or another in words. */

import { Button, Group, Kbd, Modal, Stack, Text, Textarea } from "@mantine/core";
import { useState, type KeyboardEvent } from "react";
import { t } from "../../text/index.ts";
import { EditReasons } from "./edit-reasons.tsx";
import { REASON_LENGTH_MAX, useReasons } from "./use-reasons.ts";

export interface RejectDialogProps {
  /** Whom or what: "Ines Falk", "12 leads"; undefined while it is closed. */
  readonly what: string | undefined;
  readonly onClose: () => void;
  readonly onReason: (reason: string) => void;
}

export function RejectDialog({ what, onClose, onReason }: RejectDialogProps) {
  return (
    <Modal
      opened={what !== undefined}
      onClose={onClose}
      title={t.review.rejectTitle(what ?? "")}
      transitionProps={{ duration: 0 }}
    >
      <Choose onReason={onReason} onClose={onClose} />
    </Modal>
  );
}

type ChooseProps = Pick<RejectDialogProps, "onReason" | "onClose">;

function Choose({ onReason, onClose }: ChooseProps) {
  const { value: reasons } = useReasons();
  const [isEditing, setEditing] = useState(false);
  const [text, setText] = useState("");
  const [isTried, setTried] = useState(false);
  if (isEditing) return <EditReasons onDone={() => setEditing(false)} />;
  const fault =
    text.trim() === ""
      ? t.review.reasonRequired
      : text.length > REASON_LENGTH_MAX
        ? t.review.reasonTooLong
        : undefined;
  const send = (): void => {
    setTried(true);
    if (fault === undefined) onReason(text.trim());
  };
  const pick = (event: KeyboardEvent): void => {
    if (event.target instanceof HTMLTextAreaElement) {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) send();
      return;
    }
    const reason = /^[1-9]$/.test(event.key) ? reasons[Number(event.key) - 1] : undefined;
    if (reason === undefined) return;
    event.preventDefault();
    onReason(reason);
  };
  return (
    <Stack gap="sm" onKeyDown={pick}>
      <Text size="sm" c="dimmed">
        {t.review.rejectHint}
      </Text>
      <Stack gap={6}>
        {reasons.map((reason, at) => (
          <Button
            key={reason}
            variant="default"
            justify="flex-start"
            h="auto"
            mih={36}
            py={6}
            leftSection={<Kbd size="xs">{at + 1}</Kbd>}
            styles={{
              label: {
                whiteSpace: "normal",
                textAlign: "start",
                lineHeight: 1.4,
                overflow: "visible",
              },
            }}
            {...(at === 0 && { "data-autofocus": true })}
            onClick={() => onReason(reason)}
          >
            {reason}
          </Button>
        ))}
      </Stack>
      <Textarea
        label={t.review.otherReason}
        autosize
        minRows={2}
        maxRows={8}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        error={isTried ? fault : undefined}
      />
      <Group justify="space-between" gap="xs">
        <Button variant="subtle" size="compact-sm" onClick={() => setEditing(true)}>
          {t.review.editReasons}
        </Button>
        <Group gap="xs">
          <Button variant="default" onClick={onClose}>
            {t.common.cancel}
          </Button>
          <Button color="red" onClick={send}>
            {t.review.reject}
          </Button>
        </Group>
      </Group>
    </Stack>
  );
}
