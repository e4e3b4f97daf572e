/** Shown when the partner already submitted this person: the status of that lead, and a link to it. */

import { Alert, Stack, Text } from "@mantine/core";
import { IconUserCheck } from "@tabler/icons-react";
import { portalTexts } from "../../text/portal.ts";
import { LinkButton } from "../../ui/states/index.ts";
import type { EarlierPush } from "../../api/index.ts";

export function PushedBefore({ id, status }: EarlierPush) {
  return (
    <Alert
      role="alert"
      color="yellow"
      icon={<IconUserCheck aria-hidden />}
      title={portalTexts.push.known}
    >
      <Stack gap="sm" align="flex-start">
        <Text size="sm">
          {portalTexts.push.knownHint(portalTexts.statuses[status].toLowerCase())}
        </Text>
        <LinkButton to="/partner/pushed/$id" params={{ id }} size="xs" variant="default">
          {portalTexts.push.openEarlier}
        </LinkButton>
      </Stack>
    </Alert>
  );
}
