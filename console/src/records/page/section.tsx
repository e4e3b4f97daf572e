/** A part of a record's page, with its title and what can be done in it. */

import { Card, Group, Title } from "@mantine/core";
import { useId, type ReactNode } from "react";

export interface SectionProps {
  readonly title: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

export function Section({ title, actions, children }: SectionProps) {
  const id = useId();
  return (
    <Card component="section" aria-labelledby={id} withBorder padding="lg">
      <Group justify="space-between" mb="sm" mih={30} gap="xs">
        <Title order={2} id={id}>
          {title}
        </Title>
        {actions}
      </Group>
      {children}
    </Card>
  );
}
