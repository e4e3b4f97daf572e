/** The first steps, until there is a lead. */

import { Button, Card, Group, Text, Title } from "@mantine/core";
import { IconFileImport, IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useMay } from "../api/session.ts";
import { t } from "../text/index.ts";
import { anyLeadQuery } from "./any-lead.ts";

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
          <Button
            component={Link}
            to="/leads/new"
            variant="default"
            leftSection={<IconPlus size={16} aria-hidden />}
          >
            {t.home.newLead}
          </Button>
          <Button
            component={Link}
            to="/imports/new"
            leftSection={<IconFileImport size={16} aria-hidden />}
          >
            {t.home.importFile}
          </Button>
        </Group>
      </Group>
    </Card>
  );
}
