/** Creates an access token and shows it once. */

import { Button, Group, Modal, NumberInput, Stack, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import type { AccessTokenCreated, AccessTokenRequest } from "@leadport/client";
import { useState } from "react";
import { api, useSending } from "../../api/index.ts";
import { t } from "../../text/index.ts";
import { AddressList, FormEnd, SecretOnce } from "../../ui/forms/index.ts";
import { Failure } from "../../ui/states/index.ts";
import { ExpiryInput, expiresAt, type Expiry } from "./expiry-input.tsx";
import { OwnerInput } from "./owner-input.tsx";
import { RightsInput, type Right } from "./rights-input.tsx";
import { TokenUse } from "./token-use.tsx";

const text = t.integrations.tokens;

interface Values {
  readonly name: string;
  readonly owner: string;
  readonly permissions: Right[];
  readonly expiry: Expiry;
  readonly ip_allow_list: string[];
  readonly rate_limit: number | string;
}

const EMPTY: Values = {
  name: "",
  owner: "",
  permissions: ["records:read"],
  expiry: { preset: "365", day: "" },
  ip_allow_list: [],
  rate_limit: "",
};

const bodyOf = (values: Values): AccessTokenRequest => ({
  name: values.name,
  permissions: values.permissions,
  owner: values.owner.trim() === "" ? null : values.owner.trim(),
  expires_at: expiresAt(values.expiry, Date.now()),
  ip_allow_list: values.ip_allow_list,
  rate_limit: values.rate_limit === "" ? null : Number(values.rate_limit),
});

export interface NewTokenProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onMade: () => unknown;
}

export function NewToken({ isOpen, onClose, onMade }: NewTokenProps) {
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      size="lg"
      title={text.createTitle}
      // A click outside must not close the dialog, because the token is shown only once.
      closeOnClickOutside={false}
    >
      <NewTokenForm onClose={onClose} onMade={onMade} />
    </Modal>
  );
}

function NewTokenForm({ onClose, onMade }: Omit<NewTokenProps, "isOpen">) {
  const form = useForm({ initialValues: EMPTY });
  const [made, setMade] = useState<AccessTokenCreated>();
  const { send, isSending, issues, unplaced } = useSending(
    async (values: Values) => api.post("/crm/admin/access_tokens", { body: bodyOf(values) }),
    (token) => {
      setMade(token);
      return onMade();
    },
  );
  if (made !== undefined) return <Made token={made} onClose={onClose} />;
  return (
    <form onSubmit={form.onSubmit(send)}>
      <Stack gap="md">
        <TextInput
          label={text.name}
          description={text.nameHint}
          required
          maxLength={200}
          data-autofocus
          {...form.getInputProps("name")}
          error={issues["name"]}
        />
        <RightsInput {...form.getInputProps("permissions")} error={issues["permissions"]} />
        <ExpiryInput {...form.getInputProps("expiry")} error={issues["expires_at"]} />
        <OwnerInput {...form.getInputProps("owner")} error={issues["owner"]} />
        <AddressList
          value={form.values.ip_allow_list}
          onChange={(ranges) => form.setFieldValue("ip_allow_list", ranges)}
          error={issues["ip_allow_list"]}
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
        <FormEnd onCancel={onClose} isSending={isSending} submit={text.submit} />
      </Stack>
    </form>
  );
}

interface MadeProps {
  readonly token: AccessTokenCreated;
  readonly onClose: () => void;
}

const Made = ({ token: { token }, onClose }: MadeProps) => (
  <Stack gap="md">
    <SecretOnce title={text.made} secret={token} />
    <TokenUse />
    <Group justify="flex-end">
      <Button onClick={onClose} data-autofocus>
        {text.done}
      </Button>
    </Group>
  </Stack>
);
