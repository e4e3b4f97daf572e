/** Dialogs that ask for a view's name or confirm its deletion. */

import { Button, Group, Modal, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { t } from "../../text/index.ts";
import { Failure } from "../../ui/states/index.ts";
import { FormEnd } from "../../ui/forms/index.ts";
import type { View } from "./use-views.ts";

const NAME_MAX = 60;

export interface NameDialogProps {
  readonly title: string;
  readonly name: string;
  /** The names of the other views. A new name must differ from all of them. */
  readonly taken: readonly string[];
  readonly error: unknown;
  readonly isSending: boolean;
  readonly onName: (name: string) => void;
  readonly onClose: () => void;
}

export function NameDialog(props: NameDialogProps) {
  const { title, name, taken, error, isSending, onName, onClose } = props;
  const [typed, setTyped] = useState(name);
  const [isTried, setTried] = useState(false);
  const wanted = typed.trim();
  const wrong = faultOf(wanted, taken);
  return (
    <Modal opened onClose={onClose} title={title}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          setTried(true);
          if (wrong === undefined) onName(wanted);
        }}
      >
        <Stack gap="md">
          <TextInput
            label={t.table.views.name}
            value={typed}
            maxLength={NAME_MAX}
            error={isTried && wrong}
            data-autofocus
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          />
          <Failure error={error} />
          <FormEnd onCancel={onClose} isSending={isSending} />
        </Stack>
      </form>
    </Modal>
  );
}

function faultOf(name: string, taken: readonly string[]): string | undefined {
  if (name === "") return t.table.views.nameMissing;
  const isTaken = taken.some((other) => other.toLowerCase() === name.toLowerCase());
  return isTaken ? t.table.views.nameTaken : undefined;
}

export interface DeleteViewDialogProps {
  readonly view: View;
  readonly error: unknown;
  readonly isSending: boolean;
  readonly onDelete: () => void;
  readonly onClose: () => void;
}

export function DeleteViewDialog(props: DeleteViewDialogProps) {
  const { view, error, isSending, onDelete, onClose } = props;
  return (
    <Modal opened onClose={onClose} title={t.table.views.remove}>
      <Text size="sm">{t.table.views.removeText(view.name)}</Text>
      <Failure error={error} />
      <Group justify="flex-end" mt="lg" gap="xs">
        <Button variant="default" onClick={onClose} data-autofocus>
          {t.common.cancel}
        </Button>
        <Button color="red" loading={isSending} onClick={onDelete}>
          {t.table.views.remove}
        </Button>
      </Group>
    </Modal>
  );
}
