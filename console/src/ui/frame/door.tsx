/** A page before any door is passed: a card in the middle. */

import { Card, Center, Stack, Text, Title } from "@mantine/core";
import { useDocumentTitle } from "@mantine/hooks";
import type { ReactNode } from "react";
import { t } from "../../text/index.ts";
import { Logo } from "./logo.tsx";
import { TextLink } from "../states/index.ts";

export interface DoorProps {
  readonly title: string;
  readonly hint?: string | undefined;
  readonly children: ReactNode;
  /** Another way, below the card. */
  readonly other?: { readonly to: "/sign-in" | "/partner/sign-in"; readonly label: string };
}

export function Door({ title, hint, children, other }: DoorProps) {
  useDocumentTitle(`${title} · ${t.shell.product}`);
  return (
    <Center component="main" mih="100dvh" p="md">
      <Stack w="100%" maw={400} gap="lg">
        <Center>
          <Logo />
        </Center>
        <Card withBorder padding="xl" radius="lg">
          <Stack gap="md">
            <div>
              <Title order={1}>{title}</Title>
              {hint !== undefined && (
                <Text c="dimmed" size="sm" mt={4}>
                  {hint}
                </Text>
              )}
            </div>
            {children}
          </Stack>
        </Card>
        {other !== undefined && (
          <TextLink to={other.to} size="sm" ta="center">
            {other.label}
          </TextLink>
        )}
      </Stack>
    </Center>
  );
}
