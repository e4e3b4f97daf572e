/** One partner: results, settings and actions. */

import { Group, Stack, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { api } from "../api/index.ts";
import { partnerTexts } from "../text/partners.ts";
import { QueryState } from "../ui/states/index.ts";
import { CopyBox, useSaving } from "../ui/forms/index.ts";
import { PageHeader } from "../ui/frame/index.ts";
import { StatusBadge } from "../ui/lists/index.ts";
import { Credentials } from "./credentials.tsx";
import { PartnerActions } from "./partner-actions.tsx";
import { partnerBody, PartnerForm, partnerValues, usePartnerForm } from "./partner-form.tsx";
import { PartnerResults } from "./partner-results.tsx";
import { PARTNERS, partnerQuery, type Partner, type PartnerWithAccessCode } from "./partner.ts";

const route = getRouteApi("/console/partners/$id");

export default function OnePartner() {
  const { id } = route.useParams();
  const query = useQuery(partnerQuery(id));
  if (query.data === undefined) return <QueryState query={query} />;
  return <Loaded key={query.data.id} partner={query.data} />;
}

function Loaded({ partner }: { readonly partner: Partner }) {
  const queries = useQueryClient();
  const form = usePartnerForm(partner);
  const [reissued, setReissued] = useState<PartnerWithAccessCode>();
  const keep = async (changed: Partner) => {
    queries.setQueryData(partnerQuery(partner.id).queryKey, changed);
    await queries.invalidateQueries({ queryKey: ["list", PARTNERS] });
  };
  const path = { partner_id: partner.id };
  const sending = useSaving(form, {
    valuesOf: partnerValues,
    bodyOf: partnerBody,
    read: async () => api.get("/crm/admin/partners/{partner_id}", { path }),
    write: async (body) => api.patch("/crm/admin/partners/{partner_id}", { path, body }),
    onSaved: async (changed: Partner) => {
      notifications.show({ message: partnerTexts.saved });
      await keep(changed);
    },
  });
  return (
    <>
      <PageHeader
        title={partner.name}
        hint={<StatusBadge value={partner.status} />}
        actions={
          <PartnerActions
            partner={partner}
            onStatus={(changed) => {
              form.setFieldValue("status", changed.status);
              form.resetDirty({ ...form.getInitialValues(), status: changed.status });
              return keep(changed);
            }}
            onReissued={setReissued}
          />
        }
      />
      <Stack gap="md">
        {reissued !== undefined && <Credentials partner={reissued} />}
        <Group gap="sm" wrap="nowrap" maw={460}>
          <Text size="sm" c="dimmed" flex="none">
            {partnerTexts.partnerId}
          </Text>
          <CopyBox text={partner.id} />
        </Group>
        <PartnerResults partner={partner} />
        <PartnerForm form={form} sending={sending} submit={partnerTexts.save} />
      </Stack>
    </>
  );
}
