/** One webhook: settings, secrets, test, replay and deliveries. */

import { Stack } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { api } from "../../api/index.ts";
import { t } from "../../text/index.ts";
import { QueryState } from "../../ui/states/index.ts";
import { ConfirmButton, useSaving } from "../../ui/forms/index.ts";
import { PageHeader, Section } from "../../ui/frame/index.ts";
import { CalloutLayout, SigningSecrets, TestCallout } from "../callouts/index.ts";
import { Replay } from "./replay.tsx";
import { WebhookDeliveries } from "./webhook-deliveries.tsx";
import { useWebhookForm, webhookBody, WebhookForm, webhookValues } from "./webhook-form.tsx";
import { changeWebhook, webhookQuery, WEBHOOKS, type EventWebhook } from "./webhook.ts";

const text = t.webhooks;
const route = getRouteApi("/console/settings/webhooks/$id");

export default function OneWebhook() {
  const { id } = route.useParams();
  const query = useQuery(webhookQuery(id));
  if (query.data === undefined) return <QueryState query={query} />;
  return <Loaded key={query.data.id} webhook={query.data} />;
}

function Loaded({ webhook }: { readonly webhook: EventWebhook }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const form = useWebhookForm(webhook);
  const path = { webhook_id: webhook.id };
  const refresh = async () => {
    await queries.invalidateQueries({ queryKey: ["webhook", webhook.id] });
    await queries.invalidateQueries({ queryKey: ["list", WEBHOOKS] });
  };
  const sending = useSaving(form, {
    valuesOf: webhookValues,
    bodyOf: webhookBody,
    read: async () => api.get("/crm/webhooks/{webhook_id}", { path }),
    write: async (body) => changeWebhook(webhook.id, body),
    onSaved: async () => {
      notifications.show({ message: text.saved });
      await refresh();
    },
  });
  const remove = (
    <ConfirmButton
      title={text.removeTitle}
      text={text.removeText(webhook.url)}
      confirm={text.remove}
      work={async () => api.delete("/crm/webhooks/{webhook_id}", { path })}
      onDone={async () => {
        notifications.show({ message: text.removed });
        await navigate({ to: "/settings/webhooks" });
        queries.removeQueries({ queryKey: ["webhook", webhook.id] });
        await queries.invalidateQueries({ queryKey: ["list", WEBHOOKS] });
      }}
    >
      {text.remove}
    </ConfirmButton>
  );
  const why = webhook.disabled_reason === null ? undefined : text.off[webhook.disabled_reason];
  return (
    <>
      <PageHeader title={webhook.description ?? webhook.url} hint={why} actions={remove} />
      <Stack gap="md">
        <CalloutLayout
          form={
            <Section title={text.settings}>
              <WebhookForm form={form} sending={sending} submit={text.save} />
            </Section>
          }
          beside={
            <Stack gap="md">
              <TestCallout
                isDirty={form.isDirty()}
                hasAddress
                hint={text.testHint}
                work={async () => api.post("/crm/webhooks/{webhook_id}/test", { path })}
              />
              <SigningSecrets
                secrets={webhook.secrets}
                issue={async () => api.post("/crm/webhooks/{webhook_id}/secret", { path })}
                onIssued={refresh}
              />
              <Replay webhook={webhook} onBegun={refresh} />
            </Stack>
          }
        />
        <WebhookDeliveries webhook={webhook} />
      </Stack>
    </>
  );
}
