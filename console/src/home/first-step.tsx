/** A card that describes one of the first steps in a new business, with a button to start the step. */

import { Card, Stack, Text, ThemeIcon, Title } from "@mantine/core";
import type { Icon } from "@tabler/icons-react";
import type { ReactNode } from "react";

export interface FirstStepProps {
  readonly icon: Icon;
  readonly title: string;
  readonly hint: string;
  readonly action: ReactNode;
}

export const FirstStep = ({ icon: Pictured, title, hint, action }: FirstStepProps) => (
  <Card withBorder padding="md">
    <Stack h="100%" gap="xs" align="flex-start">
      <ThemeIcon size={36} radius="md" variant="light" aria-hidden>
        <Pictured size={20} />
      </ThemeIcon>
      <Title order={3} size="h4">
        {title}
      </Title>
      <Text size="sm" c="dimmed" flex={1}>
        {hint}
      </Text>
      {action}
    </Stack>
  </Card>
);
