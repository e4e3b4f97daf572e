/** Edits the reviewer's rejection reasons. */

import { ActionIcon, Button, Group, Stack, TextInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { IconPlus, IconTrash } from "@tabler/icons-react";
import { useState } from "react";
import { t } from "../../text/index.ts";
import { Failure } from "../../ui/states/index.ts";
import { FormEnd } from "../../ui/forms/index.ts";
import { REASON_LENGTH_MAX, REASONS_MAX, useReasons } from "./use-reasons.ts";

export function EditReasons({ onDone }: { readonly onDone: () => void }) {
  const { value, saving } = useReasons(() => {
    notifications.show({ color: "teal", message: t.review.reasonsSaved });
    onDone();
  });
  const [reasons, setReasons] = useState(value);
  const kept = [...new Set(reasons.map((reason) => reason.trim()))].filter(
    (reason) => reason !== "",
  );
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        saving.send(kept);
      }}
    >
      <Stack gap="xs">
        {reasons.map((reason, at) => (
          // Reasons have no identity other than their position.
          <Group key={at} gap="xs" wrap="nowrap">
            <TextInput
              flex={1}
              aria-label={t.review.reasonNumber(at + 1)}
              value={reason}
              maxLength={REASON_LENGTH_MAX}
              {...(at === 0 && { "data-autofocus": true })}
              onChange={(event) => setReasons(reasons.with(at, event.currentTarget.value))}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              size="lg"
              aria-label={t.review.removeReason(at + 1)}
              onClick={() => setReasons(reasons.toSpliced(at, 1))}
            >
              <IconTrash size={16} aria-hidden />
            </ActionIcon>
          </Group>
        ))}
        <div>
          <Button
            variant="subtle"
            size="compact-sm"
            leftSection={<IconPlus size={14} aria-hidden />}
            disabled={reasons.length >= REASONS_MAX}
            onClick={() => setReasons([...reasons, ""])}
          >
            {t.review.addReason}
          </Button>
        </div>
        <Failure error={saving.error} />
        <FormEnd onCancel={onDone} isSending={saving.isSending} />
      </Stack>
    </form>
  );
}
