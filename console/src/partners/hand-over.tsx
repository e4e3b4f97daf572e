/** The credentials of a partner, shown once, and a message to send with them. */

import { Stack, Text, Textarea } from "@mantine/core";
import { useSession } from "../api/index.ts";
import { partnerTexts } from "../text/partners.ts";
import { Copy, CopyBox, SecretOnce } from "../ui/forms/index.ts";
import { Section } from "../ui/frame/index.ts";
import type { PartnerWithAccessCode } from "./partner.ts";

export interface HandOverProps {
  /** As it was answered to creation or reissue. */
  readonly partner: PartnerWithAccessCode;
}

export function HandOver({ partner: { id, name, access_code: code } }: HandOverProps) {
  const { tenant } = useSession();
  const { origin } = window.location;
  // The address names the business, and the partner types nothing but its code.
  const search = new URLSearchParams({ business: tenant.id, partner: id });
  const places = {
    portal: `${origin}/partner/sign-in?${search.toString()}`,
    docs: `${origin}/docs/partner`,
  };
  const letter = partnerTexts.letter({ ...places, name, tenant: tenant.name, id, code });
  return (
    <Section
      title={partnerTexts.handOver}
      actions={<Copy text={letter} label={partnerTexts.copyMessage} />}
    >
      <div>
        <Text size="sm" fw={500} mb={4}>
          {partnerTexts.partnerId}
        </Text>
        <CopyBox text={id} />
      </div>
      <SecretOnce title={partnerTexts.accessCode} secret={code} />
      <Stack gap={4}>
        <Textarea label={partnerTexts.message} readOnly autosize value={letter} />
      </Stack>
    </Section>
  );
}
