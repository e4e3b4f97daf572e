/** Who received a person's data, and what must be kept by law. */

import { List, Text, Title } from "@mantine/core";
import type { PersonReport } from "@leadport/client";
import { fieldLabel } from "../../record/index.ts";
import { privacyTexts as text } from "../../text/privacy.ts";
import { TextLink } from "../../ui/states/index.ts";

export interface RecipientsProps {
  readonly recipients: PersonReport["recipients"];
}

export function Recipients({ recipients }: RecipientsProps) {
  if (recipients.length === 0) return null;
  return (
    <div>
      <Title order={3} fz="md">
        {text.recipients}
      </Title>
      <Text size="sm" c="dimmed" mt={4} mb="xs" maw="70ch">
        {text.recipientsHint}
      </Text>
      <List size="sm" spacing={4}>
        {recipients.map(({ kind, partner_id, partner_name, webhook_id, url, requests }) => (
          <List.Item key={`${kind} ${partner_id} ${webhook_id}`}>
            {partner_name !== null && partner_id !== null ? (
              <TextLink inherit underline="always" to="/partners/$id" params={{ id: partner_id }}>
                {partner_name}
              </TextLink>
            ) : (
              <Text span inherit style={{ overflowWrap: "anywhere" }}>
                {url}
              </Text>
            )}
            {`: ${text.recipientKinds[kind] ?? kind}`}
            {requests !== null && `, ${text.requests(requests)}`}
          </List.Item>
        ))}
      </List>
    </div>
  );
}

export interface HoldsProps {
  readonly holds: PersonReport["legal_holds"];
}

export function Holds({ holds }: HoldsProps) {
  const [first] = holds;
  if (first === undefined) return null;
  return (
    <div>
      <Title order={3} fz="md">
        {text.holds}
      </Title>
      <Text size="sm" mt={4} maw="70ch">
        {text.holdsHint(holds.length, first.fields.map(fieldLabel).join(", "))}
      </Text>
    </div>
  );
}
