/** The page where the first owner enters the business's name, country, time zone and currency. */

import { Button, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import type { Tenant } from "@leadport/client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { api, sessionQuery, TENANT, tenantQuery, useSending } from "../api/index.ts";
import { RegionInputs } from "../settings/search/index.ts";
import { firstVisitTexts as texts } from "../text/first-visit.ts";
import { CenteredCard } from "../ui/frame/index.ts";
import { QueryState, Failure, LinkButton } from "../ui/states/index.ts";
import { settingsFrom } from "./suggested.ts";

export default function YourBusiness() {
  const query = useQuery(tenantQuery);
  return (
    <CenteredCard title={texts.businessTitle} hint={texts.businessHint} size={440}>
      {query.data === undefined ? (
        <QueryState query={query} />
      ) : (
        <BusinessForm tenant={query.data} />
      )}
    </CenteredCard>
  );
}

function BusinessForm({ tenant }: { readonly tenant: Tenant }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [initialValues] = useState(() =>
    settingsFrom(tenant, {
      language: navigator.language,
      timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    }),
  );
  const form = useForm({ initialValues });
  const saving = useSending(
    async (body: typeof form.values) => api.patch(TENANT, { body }),
    async (changed) => {
      queries.setQueryData(tenantQuery.queryKey, changed);
      await queries.invalidateQueries({ queryKey: sessionQuery.queryKey, refetchType: "all" });
      await navigate({ to: "/", replace: true });
    },
  );
  const { issues } = saving;
  return (
    <form onSubmit={form.onSubmit(saving.send)}>
      <Failure error={saving.unplaced} />
      <TextInput
        label={texts.name}
        description={texts.nameHint}
        placeholder={texts.namePlaceholder}
        autoComplete="organization"
        required
        autoFocus
        maxLength={200}
        {...form.getInputProps("name")}
        error={issues["name"]}
      />
      <RegionInputs form={form} issues={issues} mt="sm" />
      <Button type="submit" fullWidth mt="lg" loading={saving.isSending}>
        {texts.save}
      </Button>
      <LinkButton to="/" replace variant="subtle" fullWidth mt="xs">
        {texts.skip}
      </LinkButton>
    </form>
  );
}
