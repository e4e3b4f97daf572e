/** Asks for a reason. The user selects a listed reason by click or number key, or enters a custom one. */

import { Button, Group, Kbd, Stack, Text, Textarea } from "@mantine/core";
import { useState, type KeyboardEvent, type ReactNode } from "react";
import { t } from "../../text/index.ts";

export interface ReasonFormProps {
  readonly hint: ReactNode;
  /** The reasons to choose from, at most 9, because each has a number key. */
  readonly reasons: readonly string[];
  /** The label of the text area for another reason. */
  readonly label: string;
  readonly submit: string;
  readonly color?: string;
  /** Returns the error in the trimmed input, if any. */
  readonly faultOf: (text: string) => string | undefined;
  readonly onReason: (reason: string) => void;
  readonly onClose: () => void;
  /** Another action, shown next to the buttons. */
  readonly aside: ReactNode;
}

/** Lets a long reason wrap to several lines. */
const WRAPPED = {
  label: { whiteSpace: "normal", textAlign: "start", lineHeight: 1.4, overflow: "visible" },
} as const;

export function ReasonForm(props: ReasonFormProps) {
  const { hint, reasons, label, submit, color, faultOf, onReason, onClose, aside } = props;
  const [typed, setTyped] = useState("");
  const [isTried, setTried] = useState(false);
  const text = typed.trim();
  const fault = faultOf(text);
  const send = (): void => {
    setTried(true);
    if (fault === undefined) onReason(text);
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
      <Text size="sm" c="dimmed" component="div">
        {hint}
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
            styles={WRAPPED}
            {...(at === 0 && { "data-autofocus": true })}
            onClick={() => onReason(reason)}
          >
            {reason}
          </Button>
        ))}
      </Stack>
      <Textarea
        label={label}
        autosize
        minRows={2}
        maxRows={8}
        value={typed}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        error={isTried ? fault : undefined}
      />
      <Group justify="space-between" gap="xs">
        {aside}
        <Group gap="xs">
          <Button variant="default" onClick={onClose}>
            {t.common.cancel}
          </Button>
          <Button {...(color !== undefined && { color })} onClick={send}>
            {submit}
          </Button>
        </Group>
      </Group>
    </Stack>
  );
}
