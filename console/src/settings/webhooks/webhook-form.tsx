/** A form for a webhook: URL, events and filter. */

import { Stack, Switch, Textarea, TextInput } from "@mantine/core";
import { useForm, type UseFormReturnType } from "@mantine/form";
import { t } from "../../text/index.ts";
import { SaveBar } from "../../ui/forms/index.ts";
import type { Sending } from "../../api/index.ts";
import { EventChoice } from "./event-choice.tsx";
import { filteredType } from "../../deliveries/index.ts";
import { filterFields } from "../../record/index.ts";
import type { EventWebhook, EventWebhookRequest } from "./webhook.ts";

const text = t.webhooks;

export interface WebhookValues {
  readonly url: string;
  readonly description: string;
  readonly enabled: boolean;
  readonly events: readonly string[];
  /** The filter as entered. */
  readonly filter: string;
}

const NEW: WebhookValues = { url: "", description: "", enabled: true, events: [], filter: "" };

/** Converts a webhook to the form's values. */
export const webhookValues = ({
  url,
  description,
  enabled,
  events,
  filter,
}: EventWebhook): WebhookValues => ({
  url,
  enabled,
  events,
  description: description ?? "",
  filter: filter === null ? "" : JSON.stringify(filter, null, 2),
});

/** Returns the filter to send; undefined if the input is not a JSON object. */
function readFilter(filter: string): Record<string, unknown> | null | undefined {
  if (filter.trim() === "") return null;
  try {
    const value = JSON.parse(filter) as unknown;
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** Converts the form's values to a request body. */
export const webhookBody = ({
  url,
  description,
  enabled,
  events,
  filter,
}: WebhookValues): EventWebhookRequest => ({
  url: url.trim(),
  enabled,
  description: description.trim() === "" ? null : description.trim(),
  events: events as EventWebhookRequest["events"],
  filter: filteredType(events) === undefined ? null : (readFilter(filter) ?? null),
});

export type WebhookFormState = UseFormReturnType<WebhookValues>;

export const useWebhookForm = (webhook?: EventWebhook): WebhookFormState =>
  useForm<WebhookValues>({
    initialValues: webhook === undefined ? NEW : webhookValues(webhook),
    validate: {
      events: (events) => (events.length === 0 ? text.noEvent : null),
      filter: (filter, { events }) =>
        filteredType(events) !== undefined && readFilter(filter) === undefined
          ? text.notJson
          : null,
    },
    validateInputOnChange: ["filter"],
  });

export interface WebhookFormProps {
  readonly form: WebhookFormState;
  readonly sending: Sending<WebhookValues>;
  readonly submit: string;
}

export function WebhookForm({ form, sending, submit }: WebhookFormProps) {
  const { issues } = sending;
  return (
    <form onSubmit={form.onSubmit(sending.send)}>
      <Stack gap="md">
        <TextInput
          label={text.address}
          description={text.addressHint}
          type="url"
          required
          placeholder="https://hooks.example.com/leadport"
          spellCheck={false}
          {...form.getInputProps("url")}
          error={issues["url"]}
        />
        <TextInput
          label={text.description}
          description={text.descriptionHint}
          maxLength={500}
          {...form.getInputProps("description")}
          error={issues["description"]}
        />
        <EventChoice
          value={form.values.events}
          onChange={(events) => form.setFieldValue("events", events)}
          error={form.errors["events"] ?? issues["events"]}
        />
        <FilterInput form={form} issue={issues["filter"]} />
        <Switch
          label={text.enabled}
          {...form.getInputProps("enabled", { type: "checkbox" })}
          error={issues["enabled"]}
        />
        <SaveBar sending={sending} isDirty={form.isDirty()} submit={submit} />
      </Stack>
    </form>
  );
}

interface FilterInputProps {
  readonly form: WebhookFormState;
  readonly issue: string | undefined;
}

/** A filter refers to the fields of one record type, so all events must be of that type. */
function FilterInput({ form, issue }: FilterInputProps) {
  const type = filteredType(form.values.events);
  const fields = type === undefined ? "" : filterFields(type).join(", ");
  const { error, ...props } = form.getInputProps("filter");
  return (
    <Textarea
      label={text.filter}
      description={type === undefined ? text.filterImpossible : text.filterHint(fields)}
      placeholder={text.filterPlaceholder}
      disabled={type === undefined}
      autosize
      minRows={2}
      maxRows={12}
      spellCheck={false}
      styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)" } }}
      {...props}
      error={error ?? issue}
    />
  );
}
