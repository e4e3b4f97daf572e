/** A webhook's health: paused or not, success rate, last failure. */

import { Badge, Group, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { t } from "../../text/index.ts";
import { number, percent, relative } from "../../ui/format/index.ts";
import { TextLink } from "../../ui/states/index.ts";
import { attemptResult } from "../../deliveries/index.ts";
import { healthQuery, type EventWebhook } from "./webhook.ts";

const text = t.webhooks;

/** The minimum success rate of a healthy webhook. */
const HEALTHY = 0.99;
const FAIR = 0.9;

const colorOf = (rate: number): string =>
  rate >= HEALTHY ? "teal" : rate >= FAIR ? "yellow" : "red";

export function WebhookHealth({ webhook }: { readonly webhook: EventWebhook }) {
  const { data = [] } = useQuery(healthQuery);
  const health = data.find(({ webhook_id }) => webhook_id === webhook.id);
  const { success_rate = null, deliveries = 0, last_failure = null } = health ?? {};
  return (
    <Group gap="xs">
      {!webhook.enabled && (
        <Badge variant="dot" color="gray.6" tt="none" fw={500} miw="max-content">
          {text.paused}
        </Badge>
      )}
      {success_rate !== null && (
        <Badge
          variant="dot"
          color={`${colorOf(success_rate)}.6`}
          tt="none"
          fw={500}
          miw="max-content"
          title={text.rateHint}
        >
          {text.rate(percent(success_rate), number(deliveries))}
        </Badge>
      )}
      {health !== undefined && success_rate === null && webhook.enabled && (
        <Text size="sm" c="dimmed">
          {text.noRate}
        </Text>
      )}
      {last_failure !== null && (
        <TextLink to="/deliveries/$id" params={{ id: last_failure.delivery_id }} size="xs">
          {text.lastFailure(
            relative(Date.parse(last_failure.at) / 1000),
            attemptResult(last_failure),
          )}
        </TextLink>
      )}
    </Group>
  );
}
