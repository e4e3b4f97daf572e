/** That the partner pushed nobody yet, and how to begin. */

import { Button, Group } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { portalTexts } from "../../text/portal.ts";
import { Empty } from "../../ui/states.tsx";
import { usePartner } from "../partner.ts";

export function NothingPushed() {
  const { can_push } = usePartner();
  return (
    <Empty
      title={portalTexts.overview.nothingPushed}
      hint={can_push ? portalTexts.overview.nothingPushedHint : portalTexts.push.deniedHint}
      action={
        can_push && (
          <Group gap="xs" mt="sm">
            <Button component={Link} to="/partner/push">
              {portalTexts.menu.push}
            </Button>
            <Button component={Link} to="/partner/push-file" variant="default">
              {portalTexts.menu.file}
            </Button>
          </Group>
        )
      }
    />
  );
}
