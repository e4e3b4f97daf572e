/**
 * Code samples for the partner API in two languages. They contain the partner's own ID but never
 * its access code.
 */

import { portalTexts } from "../../text/portal.ts";

export type Language = "curl" | "typescript";

export interface Sample {
  readonly title: string;
  readonly hint: string;
  readonly code: string;
}

const texts = portalTexts.api;
/**
 * The version of the client that this service offers for download, set when the pages are built.
 */
const VERSION = import.meta.env["VITE_CLIENT_VERSION"] as string;

export const SAMPLES: Readonly<
  Record<Language, (address: string, partnerId: string) => readonly Sample[]>
> = {
  curl: (address, partnerId) => [
    {
      title: texts.token,
      hint: texts.tokenHint,
      code: `LEADPORT=${address}
PARTNER_ID=${partnerId}
printf 'Access code: ' >&2; read -rs ACCESS_CODE

PARTNER_TOKEN=$(curl -sS "$LEADPORT/crm/partner/token" -H 'Content-Type: application/json' \\
  -d "{\\"partner_id\\": \\"$PARTNER_ID\\", \\"access_code\\": \\"$ACCESS_CODE\\"}" |
  sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')
partner() { curl -sS -H "Authorization: Partner $PARTNER_TOKEN" -H 'Content-Type: application/json' "$@"; echo; }`,
    },
    {
      title: texts.lookUp,
      hint: texts.lookUpHint,
      code: `partner "$LEADPORT/crm/partner/lookup" -d '{"email": "ines.falk@example.com"}'`,
    },
    {
      title: texts.push,
      hint: texts.pushHint,
      code: `partner "$LEADPORT/crm/partner/push" -H 'Idempotency-Key: my-lead-1001' -d '{
  "name": "Ines Falk", "email": "ines.falk@example.com", "phone": "(212) 555-0143",
  "description": "Wants to berth two boats", "match_preferences": {"berths": 2}}'`,
    },
    {
      title: texts.pushed,
      hint: texts.pushedHint,
      code: `partner "$LEADPORT/crm/partner/pushed?status=pending"`,
    },
    {
      title: texts.webhooks,
      hint: texts.webhooksHint,
      code: `partner "$LEADPORT/crm/partner/webhooks" -d '{
  "url": "https://partner.example.com/leadport", "events": ["pushed_lead.*"]}'`,
    },
  ],
  typescript: (address, partnerId) => [
    {
      title: texts.install,
      hint: texts.installHint,
      code: `npm install ${address}/sdk/leadport-client-${VERSION}.tgz
npm pkg set type=module`,
    },
    {
      title: texts.connect,
      hint: texts.connectHint,
      code: `import { createPartnerClient, isConflict } from "@leadport/client";

const partner = createPartnerClient({
  url: "${address}",
  partner_id: "${partnerId}",
  access_code: process.env.LEADPORT_ACCESS_CODE,
});`,
    },
    {
      title: texts.lookUp,
      hint: texts.lookUpHint,
      code: `const { exists, active } = await partner.lookup({ email: "ines.falk@example.com" });
console.log(exists, active);`,
    },
    {
      title: texts.push,
      hint: texts.pushHintSdk,
      code: `try {
  const lead = await partner.push(
    { name: "Ines Falk", email: "ines.falk@example.com", match_preferences: { berths: 2 } },
    { idempotencyKey: "my-lead-1001" },
  );
  console.log(lead.id, lead.status);
} catch (error) {
  if (!isConflict(error)) throw error;
  console.log("submitted before:", error.existing_id);
}`,
    },
    {
      title: texts.pushed,
      hint: texts.pushedHintSdk,
      code: `for await (const lead of partner.pushed.list({ status: "pending" })) {
  console.log(lead.name, lead.submitted_date);
}`,
    },
    {
      title: texts.webhooks,
      hint: texts.webhooksHint,
      code: `const { secret } = await partner.webhooks.create({
  url: "https://partner.example.com/leadport",
  events: ["pushed_lead.*"],
});
console.log("Signing secret, shown only once:", secret);`,
    },
  ],
};
