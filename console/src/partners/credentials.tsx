/** A partner's credentials, shown only once, with a message to send to the partner. */

import { Stack, Text, Textarea } from "@mantine/core";
import { useSession } from "../api/index.ts";
import { partnerTexts } from "../text/partners.ts";
import { Copy, CopyBox, SecretOnce } from "../ui/forms/index.ts";
import { Section } from "../ui/frame/index.ts";
import type { PartnerWithAccessCode } from "./partner.ts";

export interface CredentialsProps {
  /** The partner as returned when it is created or its access code is replaced. */
  readonly partner: PartnerWithAccessCode;
}

const LOOPBACK = /^(?:localhost|127\.[\d.]+|\[::1\])$/;

export function Credentials({ partner: { id, name, access_code: code } }: CredentialsProps) {
  const { tenant } = useSession();
  const { origin, hostname } = window.location;
  // The URL contains the business and the Partner ID, so the partner enters only the access code.
  const search = new URLSearchParams({ business: tenant.id, partner: id });
  const places = {
    portal: `${origin}/partner/sign-in?${search.toString()}`,
    docs: `${origin}/docs/partner`,
  };
  const letter = partnerTexts.letter({ ...places, name, tenant: tenant.name, id, code });
  return (
    <Section
      title={partnerTexts.credentials}
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
        <Textarea
          label={partnerTexts.message}
          description={LOOPBACK.test(hostname) && partnerTexts.localLinks(origin)}
          readOnly
          autosize
          value={letter}
        />
      </Stack>
    </Section>
  );
}
