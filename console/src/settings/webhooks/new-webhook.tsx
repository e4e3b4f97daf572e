/** Creates a webhook and shows its signing secret once. */

import { Stack } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, useSending } from "../../api/index.ts";
import { t } from "../../text/index.ts";
import { SecretOnce } from "../../ui/forms/index.ts";
import { PageHeader, Section } from "../../ui/frame/index.ts";
import { useWebhookForm, webhookBody, WebhookForm, type WebhookValues } from "./webhook-form.tsx";
import { WEBHOOKS, type EventWebhookCreated } from "./webhook.ts";
import { LinkButton } from "../../ui/states/index.ts";

const text = t.webhooks;

export default function NewWebhook() {
  const queries = useQueryClient();
  const form = useWebhookForm();
  const [made, setMade] = useState<EventWebhookCreated>();
  const sending = useSending(
    async (values: WebhookValues) => api.post(WEBHOOKS, { body: webhookBody(values) }),
    async (webhook) => {
      setMade(webhook);
      notifications.show({ message: text.saved });
      window.scrollTo({ top: 0 });
      await queries.invalidateQueries({ queryKey: ["list", WEBHOOKS] });
    },
  );
  if (made !== undefined) {
    return (
      <>
        <PageHeader title={text.madeTitle} hint={made.url} />
        <Stack gap="md" maw={760}>
          <SecretOnce title={text.made} secret={made.secret} />
          <div>
            <LinkButton to="/settings/webhooks/$id" params={{ id: made.id }} variant="default">
              {text.open}
            </LinkButton>
          </div>
        </Stack>
      </>
    );
  }
  return (
    <>
      <PageHeader title={text.newTitle} hint={text.newHint} />
      <Section title={text.settings}>
        <WebhookForm form={form} sending={sending} submit={text.submit} />
      </Section>
    </>
  );
}
