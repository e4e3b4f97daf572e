/** The tenant's settings. */

import { Group, Input, Radio, Stack, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { notifications } from "@mantine/notifications";
import type { Tenant } from "@leadport/client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { api, sessionQuery, TENANT, tenantQuery } from "../api/index.ts";
import { t } from "../text/index.ts";
import { QueryState } from "../ui/states/index.ts";
import { PageHeader, Section } from "../ui/frame/index.ts";
import { Copy, SaveBar, useSaving } from "../ui/forms/index.ts";
import { Download } from "./download.tsx";
import { Storage } from "./storage.tsx";
import { RegionInputs } from "./search/index.ts";

const ON_DUPLICATE = Object.keys(t.business.onDuplicate) as Tenant["on_duplicate"][];

export default function TenantPage() {
  const query = useQuery(tenantQuery);
  return (
    <>
      <PageHeader title={t.business.title} hint={t.business.hint} />
      <Storage />
      {query.data === undefined ? <QueryState query={query} /> : <TenantForm tenant={query.data} />}
      <Download />
    </>
  );
}

/** Returns the settings that the form edits, which are also the request body. */
const settingsIn = ({ name, default_country, timezone, currency, on_duplicate }: Tenant) => ({
  name,
  default_country,
  timezone,
  currency,
  on_duplicate,
});

function TenantForm({ tenant }: { readonly tenant: Tenant }) {
  const queries = useQueryClient();
  const form = useForm({ initialValues: settingsIn(tenant) });
  const sending = useSaving(form, {
    valuesOf: settingsIn,
    bodyOf: (values) => values,
    read: async () => api.get(TENANT),
    write: async (body) => api.patch(TENANT, { body }),
    onSaved: async (changed: Tenant) => {
      queries.setQueryData(tenantQuery.queryKey, changed);
      notifications.show({ message: t.business.saved });
      await queries.invalidateQueries({ queryKey: sessionQuery.queryKey });
    },
  });
  const { issues } = sending;
  return (
    <form onSubmit={form.onSubmit(sending.send)}>
      <Stack gap="md" maw={760}>
        <Section title={t.business.general}>
          <TextInput
            label={t.business.name}
            description={t.business.nameHint}
            required
            maxLength={200}
            {...form.getInputProps("name")}
            error={issues["name"]}
          />
          <Input.Wrapper
            label={t.business.handle}
            labelElement="div"
            description={t.business.handleHint}
          >
            <Group gap="xs" mt={4}>
              <Text size="sm">{tenant.handle}</Text>
              <Copy text={tenant.handle} />
            </Group>
          </Input.Wrapper>
          <RegionInputs form={form} issues={issues} />
        </Section>
        <Section title={t.business.duplicates} hint={t.business.duplicatesHint}>
          <Radio.Group
            aria-label={t.business.duplicates}
            {...form.getInputProps("on_duplicate")}
            error={issues["on_duplicate"]}
          >
            <Stack gap="sm">
              {ON_DUPLICATE.map((value) => (
                <Radio
                  key={value}
                  value={value}
                  label={t.business.onDuplicate[value]}
                  description={t.business.onDuplicateHint[value]}
                />
              ))}
            </Stack>
          </Radio.Group>
        </Section>
        <SaveBar sending={sending} />
      </Stack>
    </form>
  );
}
