/** That the partner pushed nobody yet, and how to begin. */

import { Button, Group } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { t } from "../../text/index.ts";
import { Empty } from "../../ui/states.tsx";
import { usePartner } from "../partner.ts";

export function NothingPushed() {
  const { can_push } = usePartner();
  return (
    <Empty
      title={t.portal.overview.nothingPushed}
      hint={can_push ? t.portal.overview.nothingPushedHint : t.portal.push.deniedHint}
      action={
        can_push && (
          <Group gap="xs" mt="sm">
            <Button component={Link} to="/partner/push">
              {t.portal.menu.push}
            </Button>
            <Button component={Link} to="/partner/push-file" variant="default">
              {t.portal.menu.file}
            </Button>
          </Group>
        )
      }
    />
  );
}
