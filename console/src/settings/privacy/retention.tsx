/** Settings for how long data is retained. */

import { NumberInput, SimpleGrid, Stack, Switch } from "@mantine/core";
import { useForm } from "@mantine/form";
import { notifications } from "@mantine/notifications";
import type { PrivacySettings } from "@leadport/client";
import { queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { api } from "../../api/index.ts";
import { privacyTexts as text } from "../../text/privacy.ts";
import { SaveBar, useSaving } from "../../ui/forms/index.ts";
import { Section } from "../../ui/frame/index.ts";
import { QueryState } from "../../ui/states/index.ts";

const PRIVACY = "/crm/admin/privacy";

const privacyQuery = queryOptions({
  queryKey: ["privacy"],
  queryFn: ({ signal }) => api.get(PRIVACY, { signal }),
});

type Field = keyof typeof text.fields;
const FIELDS = Object.keys(text.fields) as Field[];

export function Retention() {
  const query = useQuery(privacyQuery);
  return (
    <Section title={text.retention} hint={text.retentionHint}>
      {query.data === undefined ? (
        <QueryState query={query} />
      ) : (
        <RetentionForm settings={query.data} />
      )}
    </Section>
  );
}

type Days = Record<Field, number | string>;
type Values = Days & { block_erased: boolean };

const valuesOf = (settings: PrivacySettings): Values => ({
  ...(Object.fromEntries(FIELDS.map((name) => [name, settings[name] ?? ""])) as Days),
  block_erased: settings.block_erased,
});

const bodyOf = (values: Values) => ({
  ...Object.fromEntries(
    FIELDS.map((name) => [name, values[name] === "" ? null : Number(values[name])]),
  ),
  block_erased: values.block_erased,
});

const read = async () => api.get(PRIVACY);

function RetentionForm({ settings }: { readonly settings: PrivacySettings }) {
  const queries = useQueryClient();
  const form = useForm<Values>({ initialValues: valuesOf(settings) });
  const sending = useSaving(form, {
    valuesOf,
    bodyOf,
    read,
    // PUT replaces all settings.
    write: async (changes) =>
      api.put(PRIVACY, { body: { ...bodyOf(valuesOf(await read())), ...changes } }),
    onSaved: (changed: PrivacySettings) => {
      queries.setQueryData(privacyQuery.queryKey, changed);
      notifications.show({ message: text.saved });
    },
  });
  return (
    <form onSubmit={form.onSubmit(sending.send)}>
      <Stack gap="md">
        <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} spacing="md">
          {FIELDS.map((name) => (
            <NumberInput
              key={name}
              label={text.inDays(text.fields[name])}
              description={text.fieldHints[name]}
              placeholder={name === "deliveries_days" ? text.installationLimit : text.noLimit}
              min={1}
              allowDecimal={false}
              clampBehavior="none"
              {...form.getInputProps(name)}
              error={sending.issues[name]}
            />
          ))}
        </SimpleGrid>
        <Switch
          label={text.blockErased}
          description={text.blockErasedHint}
          {...form.getInputProps("block_erased", { type: "checkbox" })}
        />
        <SaveBar sending={sending} isDirty={form.isDirty()} />
      </Stack>
    </form>
  );
}
