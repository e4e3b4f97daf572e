/** A page without a menu, such as a sign-in page: a card in the center. */

import { Card, Center, Stack, Text, Title } from "@mantine/core";
import { useDocumentTitle } from "@mantine/hooks";
import { use, type ReactNode } from "react";
import { Logo } from "./logo.tsx";
import { SiteName } from "./site-name.ts";
import { TextLink } from "../states/index.ts";

export interface CenteredCardProps {
  readonly title: string;
  readonly hint?: ReactNode;
  readonly children: ReactNode;
  /** The width of the card in pixels. */
  readonly size?: number;
  /** A link to a different sign-in page, shown below the card. */
  readonly other?: { readonly to: "/" | "/sign-in" | "/partner/sign-in"; readonly label: string };
}

export function CenteredCard({ title, hint, children, size = 400, other }: CenteredCardProps) {
  useDocumentTitle(`${title} · ${use(SiteName)}`);
  return (
    <Center component="main" mih="100dvh" p="md">
      <Stack w="100%" maw={size} gap="lg">
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
