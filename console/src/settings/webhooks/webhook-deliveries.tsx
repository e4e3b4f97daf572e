/** A webhook's deliveries, sent and pending, and its health. */

import { Button } from "@mantine/core";
import { IconRefresh, IconSend } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useList } from "../../api/index.ts";
import { type Delivery, DeliveryTable } from "../../deliveries/index.ts";
import { t } from "../../text/index.ts";
import { Section } from "../../ui/frame/index.ts";
import { Empty, LinkButton } from "../../ui/states/index.ts";
import { WebhookHealth } from "./webhook-health.tsx";
import { healthQuery, WEBHOOKS, type EventWebhook } from "./webhook.ts";

const text = t.webhooks;

export function WebhookDeliveries({ webhook }: { readonly webhook: EventWebhook }) {
  const { id } = webhook;
  const queries = useQueryClient();
  const list = useList<Delivery>(`${WEBHOOKS}/${id}/deliveries`);
  const refresh = async () => {
    await list.query.refetch();
    await queries.invalidateQueries(healthQuery);
  };
  return (
    <Section
      title={text.deliveries}
      hint={text.deliveriesHint}
      actions={
        <>
          <LinkButton to="/deliveries" search={{ webhook_id: id }} variant="default">
            {text.viewAll}
          </LinkButton>
          <Button
            variant="default"
            leftSection={<IconRefresh size={16} aria-hidden />}
            loading={list.query.isRefetching}
            onClick={() => void refresh()}
          >
            {text.refresh}
          </Button>
        </>
      }
    >
      <WebhookHealth webhook={webhook} />
      <DeliveryTable
        label={text.deliveries}
        list={list}
        isOfOneWebhook
        empty={<Empty icon={IconSend} title={text.noDeliveriesTitle} hint={text.noDeliveries} />}
      />
    </Section>
  );
}
