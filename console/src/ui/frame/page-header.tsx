/** A page's header: title and actions. */

import { Box, Group, Text, Title } from "@mantine/core";
import { useDocumentTitle } from "@mantine/hooks";
import { use, type ReactNode } from "react";
import { SiteName } from "./site-name.ts";

export interface PageHeaderProps {
  readonly title: string;
  readonly hint?: ReactNode;
  /** Buttons, with the primary button last. */
  readonly actions?: ReactNode;
}

export function PageHeader({ title, hint, actions }: PageHeaderProps) {
  useDocumentTitle(`${title} · ${use(SiteName)}`);
  return (
    <Group justify="space-between" align="flex-start" mb="lg" gap="sm">
      <Box miw={0}>
        <Title order={1} tabIndex={-1} style={{ overflowWrap: "anywhere" }}>
          {title}
        </Title>
        {hint !== undefined && (
          <Text c="dimmed" size="sm" mt={4} maw="70ch">
            {hint}
          </Text>
        )}
      </Box>
      {actions !== undefined && <Group gap="xs">{actions}</Group>}
    </Group>
  );
}
