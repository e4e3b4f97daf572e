/** Which of the businesses that know this e-mail is to be opened. */

import { Button, Stack } from "@mantine/core";
import type { ReactNode } from "react";
import { t } from "../text/index.ts";
import { Door } from "../ui/door.tsx";

export interface TenantChoice {
  readonly id: string;
  readonly name: string;
}

export interface ChooseTenantProps {
  readonly tenants: readonly TenantChoice[];
  readonly isSending: boolean;
  readonly failure: ReactNode;
  readonly onChoose: (id: string) => void;
}

export const ChooseTenant = ({ tenants, isSending, failure, onChoose }: ChooseTenantProps) => (
  <Door title={t.signIn.chooseTenant} hint={t.signIn.chooseTenantHint}>
    {failure}
    <Stack gap="xs">
      {tenants.map(({ id, name }) => (
        <Button key={id} variant="default" disabled={isSending} onClick={() => onChoose(id)}>
          {name}
        </Button>
      ))}
    </Stack>
  </Door>
);
