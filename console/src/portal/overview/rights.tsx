/** The partner's permissions. */

import { Badge, Card, Group, List, Text, ThemeIcon, Title, VisuallyHidden } from "@mantine/core";
import { IconCheck, IconX } from "@tabler/icons-react";
import { portalTexts } from "../../text/portal.ts";
import { rate, words } from "../../ui/format/index.ts";
import { usePartner, type Right } from "../partner/index.ts";

const { overview } = portalTexts;

const RIGHTS = Object.entries(overview.rightNames) as readonly (readonly [Right, string])[];

export function Rights() {
  const partner = usePartner();
  const rights = [
    { label: overview.mayPush, isHeld: partner.can_push },
    ...RIGHTS.map(([right, label]) => ({ label, isHeld: partner.permissions.includes(right) })),
  ];
  return (
    <Card withBorder padding="lg">
      <Title order={2} mb="sm">
        {overview.rights}
      </Title>
      <List spacing={6} listStyleType="none" withPadding={false}>
        {rights.map(({ label, isHeld }) => (
          <List.Item
            key={label}
            icon={
              <ThemeIcon
                size={20}
                radius="xl"
                variant="light"
                color={isHeld ? "teal" : "gray"}
                aria-hidden
              >
                {isHeld ? <IconCheck size={13} /> : <IconX size={13} />}
              </ThemeIcon>
            }
          >
            <Text size="sm" {...(!isHeld && { c: "dimmed", td: "line-through" })}>
              {label}
            </Text>
            <VisuallyHidden>{isHeld ? overview.allowed : overview.notAllowed}</VisuallyHidden>
          </List.Item>
        ))}
      </List>
      {partner.can_push && (
        <Text size="sm" c="dimmed" mt="sm">
          {partner.auto_accept ? overview.autoAccept : overview.byHand}
        </Text>
      )}
      <Title order={3} size="sm" mt="lg" mb={6}>
        {overview.sources}
      </Title>
      {partner.allowed_marketing_sources.length === 0 ? (
        <Text size="sm">{overview.noSources}</Text>
      ) : (
        <Group gap={6}>
          {partner.allowed_marketing_sources.map((source) => (
            <Badge key={source} variant="default" tt="none" fw={500}>
              {words(source)}
            </Badge>
          ))}
        </Group>
      )}
      <Title order={3} size="sm" mt="lg" mb={6}>
        {overview.rate}
      </Title>
      <Text size="sm">
        {partner.commission_rate === 0
          ? overview.noRate
          : overview.rateWords(rate(partner.commission_rate))}
      </Text>
    </Card>
  );
}
