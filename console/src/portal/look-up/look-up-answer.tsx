/** Whether somebody is known, and what can be done now. */

import type { DataOf, PartnerLookupRequest } from "@leadport/client";
import { Alert, Button, Group, Text } from "@mantine/core";
import { IconUserCheck, IconUserQuestion } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { t } from "../../text/index.ts";
import { usePartner, useRight } from "../partner.ts";

export interface Found {
  readonly asked: PartnerLookupRequest;
  readonly answer: DataOf<"/crm/partner/lookup", "post">;
}

export interface LookUpAnswerProps {
  readonly found: Found;
  readonly onAgain: () => void;
}

export function LookUpAnswer({ found: { asked, answer }, onAgain }: LookUpAnswerProps) {
  const { can_push } = usePartner();
  const seesNames = useRight("lookup_name");
  const { exists, name, active } = answer;
  const title = !exists
    ? t.portal.lookUp.unknown
    : name === null
      ? t.portal.lookUp.known
      : t.portal.lookUp.knownAs(name);
  const Pictured = exists ? IconUserCheck : IconUserQuestion;
  return (
    <Alert mt="md" color={exists ? "yellow" : "teal"} icon={<Pictured aria-hidden />} title={title}>
      {exists ? (
        <Text size="sm">
          {active ? t.portal.lookUp.active : t.portal.lookUp.inactive}
          {!seesNames && ` ${t.portal.lookUp.nameHidden}`}
        </Text>
      ) : (
        <Text size="sm">{t.portal.lookUp.unknownHint}</Text>
      )}
      <Group gap="xs" mt="sm">
        {can_push && (
          <Button
            component={Link}
            to="/partner/push"
            state={{ person: { name, email: asked.email ?? null, phone: asked.phone ?? null } }}
            size="xs"
            variant={exists ? "default" : "filled"}
          >
            {t.portal.lookUp.push}
          </Button>
        )}
        <Button size="xs" variant="default" onClick={onAgain}>
          {t.portal.lookUp.again}
        </Button>
      </Group>
    </Alert>
  );
}
