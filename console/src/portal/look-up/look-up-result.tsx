/** Shows whether a person is known, and the next actions. */

import type { DataOf, PartnerLookupRequest } from "@leadport/client";
import { Alert, Button, Group, Text } from "@mantine/core";
import { IconUserCheck, IconUserQuestion } from "@tabler/icons-react";
import { portalTexts } from "../../text/portal.ts";
import { looksDeliverable } from "../../ui/email/index.ts";
import { usePartner, useRight } from "../partner/index.ts";
import { LinkButton } from "../../ui/states/index.ts";

export interface Found {
  readonly asked: PartnerLookupRequest;
  readonly answer: DataOf<"/crm/partner/lookup", "post">;
}

export interface LookUpResultProps {
  readonly found: Found;
  readonly onAgain: () => void;
}

export function LookUpResult({ found: { asked, answer }, onAgain }: LookUpResultProps) {
  const { can_push } = usePartner();
  const seesNames = useRight("lookup_name");
  const { exists, name, active } = answer;
  const title = !exists
    ? portalTexts.lookUp.unknown
    : name === null
      ? portalTexts.lookUp.known
      : portalTexts.lookUp.knownAs(name);
  const Pictured = exists ? IconUserCheck : IconUserQuestion;
  return (
    <Alert mt="md" color={exists ? "yellow" : "teal"} icon={<Pictured aria-hidden />} title={title}>
      {exists ? (
        <Text size="sm">
          {active ? portalTexts.lookUp.active : portalTexts.lookUp.inactive}
          {!seesNames && ` ${portalTexts.lookUp.nameHidden}`}
        </Text>
      ) : (
        <Text size="sm">{portalTexts.lookUp.unknownHint}</Text>
      )}
      {asked.email && !looksDeliverable(asked.email) && (
        <Text size="sm">{portalTexts.lookUp.doubtful}</Text>
      )}
      <Group gap="xs" mt="sm">
        {can_push && (
          <LinkButton
            to="/partner/push"
            state={{ person: { name, email: asked.email ?? null, phone: asked.phone ?? null } }}
            size="xs"
            variant={exists ? "default" : "filled"}
          >
            {portalTexts.lookUp.push}
          </LinkButton>
        )}
        <Button size="xs" variant="default" onClick={onAgain}>
          {portalTexts.lookUp.again}
        </Button>
      </Group>
    </Alert>
  );
}
