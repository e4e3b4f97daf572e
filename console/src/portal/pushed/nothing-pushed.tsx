/** The empty state until the partner submits a lead. */

import { Group } from "@mantine/core";
import { portalTexts } from "../../text/portal.ts";
import { Empty, LinkButton } from "../../ui/states/index.ts";
import { usePartner } from "../partner/index.ts";

export function NothingPushed() {
  const { can_push } = usePartner();
  return (
    <Empty
      title={portalTexts.overview.nothingPushed}
      hint={can_push ? portalTexts.overview.nothingPushedHint : portalTexts.push.deniedHint}
      action={
        can_push && (
          <Group gap="xs" justify="center">
            <LinkButton to="/partner/push">{portalTexts.menu.push}</LinkButton>
            <LinkButton to="/partner/push-file" variant="default">
              {portalTexts.menu.file}
            </LinkButton>
          </Group>
        )
      }
    />
  );
}
