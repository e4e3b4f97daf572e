/** The first steps, until there is a lead. */

import { Card, Group, Text, Title } from "@mantine/core";
import { IconFileImport, IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useMay } from "../api/index.ts";
import { t } from "../text/index.ts";
import { anyLeadQuery } from "./any-lead.ts";
import { LinkButton } from "../ui/states/index.ts";

export function GettingStarted() {
  const mayWrite = useMay("records:write");
  const { data } = useQuery(anyLeadQuery);
  if (!mayWrite || data === undefined || data.items.length > 0) return null;
  return (
    <Card component="section" withBorder padding="lg" aria-label={t.home.empty}>
      <Group justify="space-between" gap="md">
        <div>
          <Title order={2}>{t.home.empty}</Title>
          <Text c="dimmed" size="sm">
            {t.home.emptyHint}
          </Text>
        </div>
        <Group gap="xs">
          <LinkButton
            to="/$type/new"
            params={{ type: "leads" }}
            variant="default"
            leftSection={<IconPlus size={16} aria-hidden />}
          >
            {t.home.newLead}
          </LinkButton>
          <LinkButton to="/imports/new" leftSection={<IconFileImport size={16} aria-hidden />}>
            {t.home.importFile}
          </LinkButton>
        </Group>
      </Group>
    </Card>
  );
}
