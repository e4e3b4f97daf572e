/** Changes a token's name or rate limit. Any other change requires a new token. */

import { Modal, NumberInput, Stack, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { notifications } from "@mantine/notifications";
import type { AccessToken } from "@leadport/client";
import { api } from "../../api/index.ts";
import { t } from "../../text/index.ts";
import { Failure } from "../../ui/states/index.ts";
import { FormEnd, useSaving } from "../../ui/forms/index.ts";

const text = t.integrations.tokens;

export interface EditTokenProps {
  /** The token to edit. The dialog is open if this is set. */
  readonly token: AccessToken | undefined;
  readonly onClose: () => void;
  readonly onSaved: () => unknown;
}

export const EditToken = ({ token, onClose, onSaved }: EditTokenProps) => (
  <Modal opened={token !== undefined} onClose={onClose} title={text.editTitle}>
    {token !== undefined && <EditForm token={token} onClose={onClose} onSaved={onSaved} />}
  </Modal>
);

interface EditFormProps extends EditTokenProps {
  readonly token: AccessToken;
}

interface Values {
  readonly name: string;
  readonly rate_limit: number | string;
}

const valuesOf = ({ name, rate_limit }: AccessToken): Values => ({
  name,
  rate_limit: rate_limit ?? "",
});

function EditForm({ token, onClose, onSaved }: EditFormProps) {
  const form = useForm<Values>({ initialValues: valuesOf(token) });
  const path = { token_id: token.id };
  const { send, isSending, issues, unplaced } = useSaving(form, {
    valuesOf,
    bodyOf: ({ name, rate_limit }) => ({
      name,
      rate_limit: rate_limit === "" ? null : Number(rate_limit),
    }),
    read: async () => token,
    write: async (body) => api.patch("/crm/admin/access_tokens/{token_id}", { path, body }),
    onSaved: () => {
      notifications.show({ message: text.saved });
      onClose();
      return onSaved();
    },
  });
  return (
    <form onSubmit={form.onSubmit(send)}>
      <Stack gap="md">
        <TextInput
          label={text.name}
          required
          maxLength={200}
          data-autofocus
          {...form.getInputProps("name")}
          error={issues["name"]}
        />
        <NumberInput
          label={text.rateLimit}
          description={text.rateLimitHint}
          min={0}
          allowDecimal={false}
          clampBehavior="none"
          {...form.getInputProps("rate_limit")}
          error={issues["rate_limit"]}
        />
        <Failure error={unplaced} />
        <FormEnd onCancel={onClose} isSending={isSending} />
      </Stack>
    </form>
  );
}
