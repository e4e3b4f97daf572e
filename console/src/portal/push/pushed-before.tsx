/** Shown if the partner already submitted a lead for this person: the earlier lead's status, with a link to it. */

import { Alert, Stack, Text } from "@mantine/core";
import { IconUserCheck } from "@tabler/icons-react";
import { useEffect, useRef } from "react";
import { portalTexts } from "../../text/portal.ts";
import { LinkButton } from "../../ui/states/index.ts";
import type { EarlierPush } from "../../api/index.ts";

export function PushedBefore({ id, status }: EarlierPush) {
  const box = useRef<HTMLDivElement>(null);
  // The form is long, so this box may be out of view when the button at its end is pressed.
  useEffect(() => {
    box.current?.focus({ preventScroll: true });
    box.current?.scrollIntoView({ block: "center" });
  }, [id]);
  return (
    <Alert
      ref={box}
      tabIndex={-1}
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
