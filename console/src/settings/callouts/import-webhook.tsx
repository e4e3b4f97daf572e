/** Settings for the import webhook. */

import { Stack } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import type { ImportWebhook } from "@leadport/client";
import { queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { api, useSending } from "../../api/index.ts";
import { t } from "../../text/index.ts";
import { QueryState } from "../../ui/states/index.ts";
import { changedFields, SaveBar } from "../../ui/forms/index.ts";
import { Section } from "../../ui/frame/index.ts";
import { CalloutFields } from "./callout-fields.tsx";
import { calloutBody, calloutValues, useCalloutForm } from "./callout-form.ts";
import { CalloutLayout } from "./callout-layout.tsx";
import { CalloutPreview } from "./callout-preview.tsx";
import { SigningSecrets } from "./signing-secrets.tsx";
import { TestCallout } from "./test-callout.tsx";
import { usePreview } from "./use-preview.ts";

const WEBHOOK = "/crm/admin/import_webhook";
/** The placeholders available in the template. */
const NAMES = ["id", "name", "email", "phone", "partner_id", "lead_source", "description"] as const;
const { importWebhook: text } = t.integrations;

const webhookQuery = queryOptions({
  queryKey: ["import-webhook"],
  queryFn: ({ signal }) => api.get(WEBHOOK, { signal }),
});

export function ImportWebhookPanel() {
  const query = useQuery(webhookQuery);
  if (query.data === undefined) return <QueryState query={query} />;
  return <Loaded webhook={query.data} />;
}

function Loaded({ webhook }: { readonly webhook: ImportWebhook }) {
  const queries = useQueryClient();
  const { form, restart } = useCalloutForm(webhook);
  const body = calloutBody(form.values);
  const preview = usePreview({
    of: WEBHOOK,
    body,
    render: async (options) => api.post(`${WEBHOOK}/preview`, options),
  });
  const saving = useSending(
    async () => {
      // PUT replaces all settings.
      const stored = calloutBody(calloutValues(await api.get(WEBHOOK)));
      const changes = changedFields(calloutBody(form.getInitialValues()), body);
      return api.put(WEBHOOK, { body: { ...stored, ...changes } });
    },
    (saved) => {
      queries.setQueryData(webhookQuery.queryKey, saved);
      restart(saved);
      notifications.show({ message: t.integrations.callout.saved });
    },
  );
  // For unsaved settings, the preview reports the same issues as saving does.
  const issues = preview.error === null ? preview.issues : saving.issues;
  return (
    <CalloutLayout
      form={
        <form onSubmit={form.onSubmit(() => saving.send(undefined))}>
          <Section title={text.title} hint={text.hint}>
            <CalloutFields form={form} names={NAMES} issues={issues} />
            <SaveBar sending={saving} isDirty={form.isDirty()} />
          </Section>
        </form>
      }
      beside={
        <Stack gap="md">
          <CalloutPreview preview={preview} target={`${body.method} ${body.url ?? "…"}`} />
          <TestCallout
            isDirty={form.isDirty()}
            hasAddress={webhook.url !== null}
            work={async () => api.post(`${WEBHOOK}/test`)}
          />
          <SigningSecrets
            secrets={webhook.secrets}
            issue={async () => api.post(`${WEBHOOK}/secret`)}
            onIssued={async () => queries.invalidateQueries({ queryKey: webhookQuery.queryKey })}
          />
        </Stack>
      }
    />
  );
}
