/** Creates a partner and shows its credentials once. */

import { Stack } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, useSending } from "../api/index.ts";
import { partnerTexts } from "../text/partners.ts";
import { PageHeader } from "../ui/frame/index.ts";
import { Credentials } from "./credentials.tsx";
import { PARTNERS, type PartnerWithAccessCode } from "./partner.ts";
import { partnerBody, PartnerForm, type PartnerValues, usePartnerForm } from "./partner-form.tsx";
import { LinkButton } from "../ui/states/index.ts";

export default function NewPartner() {
  const queries = useQueryClient();
  const form = usePartnerForm();
  const [made, setMade] = useState<PartnerWithAccessCode>();
  const sending = useSending(
    async (values: PartnerValues) => api.post(PARTNERS, { body: partnerBody(values) }),
    async (partner) => {
      setMade(partner);
      notifications.show({ message: partnerTexts.saved });
      window.scrollTo({ top: 0 });
      await queries.invalidateQueries({ queryKey: ["list", PARTNERS] });
    },
  );
  if (made !== undefined) {
    return (
      <>
        <PageHeader title={made.name} />
        <Stack gap="md" align="stretch" maw={760}>
          <Credentials partner={made} />
          <div>
            <LinkButton to="/partners/$id" params={{ id: made.id }} variant="default">
              {partnerTexts.openPartner}
            </LinkButton>
          </div>
        </Stack>
      </>
    );
  }
  return (
    <>
      <PageHeader title={partnerTexts.newTitle} hint={partnerTexts.newHint} />
      <PartnerForm form={form} sending={sending} submit={partnerTexts.createSubmit} />
    </>
  );
}
