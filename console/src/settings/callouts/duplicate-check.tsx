/** Settings for checking duplicates in the tenant's own system. */

import { Radio, Stack, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { notifications } from "@mantine/notifications";
import type { DuplicateCheck } from "@leadport/client";
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
import { TestCallout } from "./test-callout.tsx";
import { usePreview } from "./use-preview.ts";

const CHECK = "/crm/admin/duplicate_check";
const NAMES = ["name", "email", "phone"] as const;
const { duplicateCheck: text } = t.integrations;
const ON_ERROR = Object.keys(text.onErrors) as DuplicateCheck["on_error"][];

const POINTERS = [
  { name: "exists_pointer", label: text.exists, hint: text.existsHint },
  { name: "name_pointer", label: text.name, hint: text.nameHint },
  { name: "active_pointer", label: text.active, hint: text.activeHint },
] as const;

const checkQuery = queryOptions({
  queryKey: ["duplicate-check"],
  queryFn: ({ signal }) => api.get(CHECK, { signal }),
});

export function DuplicateCheckPanel() {
  const query = useQuery(checkQuery);
  if (query.data === undefined) return <QueryState query={query} />;
  return <Loaded check={query.data} />;
}

/** Converts the response mapping to the form's format. */
const readingOf = (check: DuplicateCheck) => ({
  exists_pointer: check.exists_pointer,
  name_pointer: check.name_pointer ?? "",
  active_pointer: check.active_pointer ?? "",
  on_error: check.on_error,
});

function Loaded({ check }: { readonly check: DuplicateCheck }) {
  const queries = useQueryClient();
  const { form, restart } = useCalloutForm(check);
  const reading = useForm({ initialValues: readingOf(check) });
  const body = { ...calloutBody(form.values), ...reading.values };
  const preview = usePreview({
    of: CHECK,
    body,
    render: async (options) => api.post(`${CHECK}/preview`, options),
  });
  const saving = useSending(
    async () => {
      // PUT replaces all settings.
      const current = await api.get(CHECK);
      const stored = { ...calloutBody(calloutValues(current)), ...readingOf(current) };
      const before = {
        ...calloutBody(form.getInitialValues()),
        ...reading.getInitialValues(),
      };
      return api.put(CHECK, { body: { ...stored, ...changedFields(before, body) } });
    },
    (saved) => {
      queries.setQueryData(checkQuery.queryKey, saved);
      restart(saved);
      reading.setValues(readingOf(saved));
      reading.resetDirty(readingOf(saved));
      notifications.show({ message: t.integrations.callout.saved });
    },
  );
  // For unsaved settings, the preview reports the same issues as saving does.
  const issues = preview.error === null ? preview.issues : saving.issues;
  const isDirty = form.isDirty() || reading.isDirty();
  return (
    <CalloutLayout
      form={
        <form onSubmit={form.onSubmit(() => saving.send(undefined))}>
          <Stack gap="md">
            <Section title={text.title} hint={text.hint}>
              <CalloutFields form={form} names={NAMES} issues={issues} />
            </Section>
            <Section title={text.response} hint={text.responseHint}>
              {POINTERS.map(({ name, label, hint }) => (
                <TextInput
                  key={name}
                  label={label}
                  description={hint}
                  spellCheck={false}
                  {...reading.getInputProps(name)}
                  error={issues[name]}
                />
              ))}
              <Radio.Group
                label={text.onError}
                {...reading.getInputProps("on_error")}
                error={issues["on_error"]}
              >
                <Stack gap="xs" mt={6}>
                  {ON_ERROR.map((value) => (
                    <Radio
                      key={value}
                      value={value}
                      label={text.onErrors[value]}
                      description={text.onErrorHints[value]}
                    />
                  ))}
                </Stack>
              </Radio.Group>
              <SaveBar sending={saving} isDirty={isDirty} />
            </Section>
          </Stack>
        </form>
      }
      beside={
        <Stack gap="md">
          <CalloutPreview preview={preview} target={`${body.method} ${body.url ?? "…"}`} />
          <TestCallout
            isDirty={isDirty}
            hasAddress={check.url !== null}
            work={async () => api.post(`${CHECK}/test`)}
          />
        </Stack>
      }
    />
  );
}
