/** Asks the signed-in user to enter their password before a sensitive action. */

import { Button, Group, PasswordInput, Stack } from "@mantine/core";
import { useState, type ReactNode } from "react";
import { t } from "../text/index.ts";
import { Failure } from "../ui/states/index.ts";
import { submitting } from "../ui/forms/index.ts";
import type { Sending } from "../api/index.ts";

export interface PasswordFormProps {
  /** Sends the password. */
  readonly sending: Sending<string>;
  /** The label of the submit button. */
  readonly submit: string;
  readonly color?: string;
  /** Inputs in addition to the password. */
  readonly children?: ReactNode;
}

export function PasswordForm({ sending, submit, children, ...button }: PasswordFormProps) {
  const [password, setPassword] = useState("");
  return (
    <form onSubmit={submitting(() => sending.send(password))}>
      <Stack>
        <Failure error={sending.error} />
        <PasswordInput
          label={t.profile.password}
          autoComplete="current-password"
          required
          data-autofocus
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        {children}
        <Group justify="flex-end">
          <Button {...button} type="submit" loading={sending.isSending}>
            {submit}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
