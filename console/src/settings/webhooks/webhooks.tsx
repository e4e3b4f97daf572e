/** The tenant's event webhooks. */

import { Badge, Group, Stack, Switch, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { IconPlus, IconWebhook } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useList, useSending } from "../../api/index.ts";
import { t } from "../../text/index.ts";
import { Empty, Failure, LinkButton, TextLink } from "../../ui/states/index.ts";
import { type Column, ListTable, Time } from "../../ui/lists/index.ts";
import { PageHeader } from "../../ui/frame/index.ts";
import { WebhookHealth } from "./webhook-health.tsx";
import { changeWebhook, WEBHOOKS, type EventWebhook } from "./webhook.ts";

const text = t.webhooks;
const EVENTS_SHOWN = 3;

const create = (
  <LinkButton to="/settings/webhooks/new" leftSection={<IconPlus size={16} aria-hidden />}>
    {text.create}
  </LinkButton>
);

const COLUMNS: readonly Column<EventWebhook>[] = [
  {
    label: text.address,
    cell: ({ id, url, description }) => (
      <Stack gap={0} miw="12rem">
        <TextLink to="/settings/webhooks/$id" params={{ id }} fw={500} size="sm" lineClamp={3}>
          {url}
        </TextLink>
        {description !== null && (
          <Text size="sm" c="dimmed">
            {description}
          </Text>
        )}
      </Stack>
    ),
  },
  { label: text.events, cell: ({ events }) => <Events events={events} /> },
  { label: text.health, cell: (webhook) => <WebhookHealth webhook={webhook} /> },
  { label: text.on, cell: (webhook) => <OnOff webhook={webhook} /> },
  { label: text.changed, cell: ({ updated_ts }) => <Time at={updated_ts} /> },
];

export default function Webhooks() {
  const list = useList<EventWebhook>(WEBHOOKS);
  return (
    <>
      <PageHeader title={text.title} hint={text.hint} actions={create} />
      <ListTable
        label={text.title}
        list={list}
        columns={COLUMNS}
        keyOf={({ id }) => id}
        empty={
          <Empty icon={IconWebhook} title={text.emptyTitle} hint={text.empty} action={create} />
        }
      />
    </>
  );
}

function Events({ events }: { readonly events: readonly string[] }) {
  const rest = events.length - EVENTS_SHOWN;
  return (
    <Group gap={4}>
      {events.slice(0, EVENTS_SHOWN).map((event) => (
        <Badge key={event} variant="default" tt="none" fw={500} miw="max-content">
          {event}
        </Badge>
      ))}
      {rest > 0 && (
        <Text size="xs" c="dimmed">
          {t.partners.more(rest)}
        </Text>
      )}
    </Group>
  );
}

function OnOff({ webhook }: { readonly webhook: EventWebhook }) {
  const queries = useQueryClient();
  const switching = useSending(
    async (enabled: boolean) => changeWebhook(webhook.id, { enabled }),
    async ({ enabled }) => {
      notifications.show({ message: enabled ? text.switchedOn : text.switchedOff });
      await queries.invalidateQueries({ queryKey: ["list", WEBHOOKS] });
      await queries.invalidateQueries({ queryKey: ["webhook", webhook.id] });
    },
  );
  return (
    <>
      <Switch
        aria-label={text.switchOf(webhook.url)}
        // The switch changes immediately and reverts if the service rejects the change.
        checked={switching.isSending ? !webhook.enabled : webhook.enabled}
        onChange={({ currentTarget: { checked } }) => {
          if (!switching.isSending) switching.send(checked);
        }}
      />
      {webhook.disabled_reason !== null && (
        <Text size="xs" mt={4} miw="9rem">
          {text.off[webhook.disabled_reason]}
        </Text>
      )}
      <Failure error={switching.error} />
    </>
  );
}
