/** A section of a page: a card with its own heading. */

import { Box, Card, Group, Stack, Text, Title } from "@mantine/core";
import { useId, type ReactNode } from "react";

export interface SectionProps {
  readonly title: string;
  readonly hint?: ReactNode;
  /** Buttons next to the heading. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

export function Section({ title, hint, actions, children }: SectionProps) {
  const id = useId();
  return (
    <Card withBorder component="section" aria-labelledby={id} padding="lg">
      <Stack gap="md">
        <Group justify="space-between" align="flex-start" gap="sm">
          <Box flex={hint === undefined ? "1 1 auto" : "1 1 16rem"} miw={0}>
            <Title order={2} id={id}>
              {title}
            </Title>
            {hint !== undefined && (
              <Text c="dimmed" size="sm" mt={4} maw="70ch">
                {hint}
              </Text>
            )}
          </Box>
          {actions !== undefined && (
            <Group gap="xs" ml="auto">
              {actions}
            </Group>
          )}
        </Group>
        {children}
      </Stack>
    </Card>
  );
}
