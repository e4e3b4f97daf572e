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
import { typeText } from "./found-name.tsx";

const ERASE = "/crm/admin/persons/erase";

export interface EraseDialogProps {
  /** The email and phone that the user searched for. */
  readonly person: string;
  /** The selected records. */
  readonly records: readonly { readonly type: string }[];
  /** The number of selected mentions. */
  readonly mentions: number;
  readonly request: Omit<PersonEraseRequest, "dry_run">;
  readonly onClose: () => void;
  readonly onErased: (erasure: PersonErasure) => void;
}

export function EraseDialog(props: EraseDialogProps) {
  const { person, records, mentions, request, onClose, onErased } = props;
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
    <Modal
      opened
      onClose={onClose}
      title={text.previewTitle(person)}
      size="lg"
      closeOnClickOutside={false}
    >
      <Stack gap="md">
        <Text size="sm">
          {text.selected(countsByType(records), mentions)} {text.previewHint}
        </Text>
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

/** Returns each type's label and its number of records. */
function countsByType(
  records: EraseDialogProps["records"],
): readonly (readonly [string, number])[] {
  const groups = Map.groupBy(records, ({ type }) => typeText(type));
  return [...groups].map(([label, { length }]) => [label, length]);
}
