/** That the partner pushed this person before, and where that lead is. */

import type { LeadportError, PushedLead } from "@leadport/client";
import { Alert, Button, Stack, Text } from "@mantine/core";
import { IconUserCheck } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { portalTexts } from "../../text/portal.ts";

export function PushedBefore({ conflict }: { readonly conflict: LeadportError }) {
  const { status } = conflict.body as Pick<PushedLead, "status">;
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
        <Button
          component={Link}
          to={`/partner/pushed/${conflict.existing_id}`}
          size="xs"
          variant="default"
        >
          {portalTexts.push.openEarlier}
        </Button>
      </Stack>
    </Alert>
  );
}
