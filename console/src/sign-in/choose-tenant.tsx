/** Asks which business to open if the same email and password are valid for several businesses. */

import { Button, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { signInTexts } from "../text/sign-in.ts";
import { CenteredCard } from "../ui/frame/index.ts";

export interface TenantChoice {
  readonly id: string;
  readonly name: string;
  readonly handle: string;
}

export interface ChooseTenantProps {
  readonly tenants: readonly TenantChoice[];
  readonly isSending: boolean;
  readonly failure: ReactNode;
  readonly onChoose: (id: string) => void;
}

export const ChooseTenant = ({ tenants, isSending, failure, onChoose }: ChooseTenantProps) => (
  <CenteredCard title={signInTexts.chooseTenant} hint={signInTexts.chooseTenantHint}>
    {failure}
    <Stack gap="xs">
      {tenants.map(({ id, name, handle }) => (
        <Button
          key={id}
          variant="default"
          h="auto"
          py="xs"
          disabled={isSending}
          onClick={() => onChoose(id)}
        >
          <Stack gap={0}>
            {name}
            <Text span size="sm" c="dimmed" fw="normal">
              {handle}
            </Text>
          </Stack>
        </Button>
      ))}
    </Stack>
  </CenteredCard>
);
