/** Previews an erasure, and carries it out once the user confirms it by typing a word. */

import { Button, Group, Modal, Stack, Text, TextInput } from "@mantine/core";
import type { PersonErasure, PersonEraseRequest } from "@leadport/client";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, useSending } from "../../api/index.ts";
import { t } from "../../text/index.ts";
import { privacyTexts as text } from "../../text/privacy.ts";
import { QueryState, Failure } from "../../ui/states/index.ts";
import { Counts } from "./erasure-result.tsx";

const ERASE = "/crm/admin/persons/erase";

export interface EraseDialogProps {
  readonly request: Omit<PersonEraseRequest, "dry_run">;
  readonly onClose: () => void;
  readonly onErased: (erasure: PersonErasure) => void;
}

export function EraseDialog({ request, onClose, onErased }: EraseDialogProps) {
  const [typed, setTyped] = useState("");
  const preview = useQuery({
    queryKey: ["person-erasure", request],
    queryFn: ({ signal }) => api.post(ERASE, { body: { ...request, dry_run: true }, signal }),
    gcTime: 0,
    retry: false,
  });
  const sending = useSending(
    async () => api.post(ERASE, { body: request }),
    (erasure) => {
      onErased(erasure);
      onClose();
    },
  );
  return (
    <Modal opened onClose={onClose} title={text.previewTitle} size="lg" closeOnClickOutside={false}>
      <Stack gap="md">
        <Text size="sm">{text.previewHint}</Text>
        {preview.data === undefined ? (
          <QueryState query={preview} />
        ) : (
          <>
            <Counts title={text.rows} counts={preview.data.counts} />
            <TextInput
              label={text.confirmLabel}
              autoComplete="off"
              data-autofocus
              value={typed}
              onChange={({ currentTarget }) => setTyped(currentTarget.value)}
            />
          </>
        )}
        <Failure error={sending.error} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {t.common.cancel}
          </Button>
          <Button
            color="red"
            disabled={preview.data === undefined || typed.trim() !== text.confirmWord}
            loading={sending.isSending}
            onClick={() => sending.send(undefined)}
          >
            {text.erase}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
