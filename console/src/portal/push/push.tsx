/** Submits one lead and shows its status. */

import type { PushedLead } from "@leadport/client";
import { Button, Card, Group, Text, Title } from "@mantine/core";
import { IconLock } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { portalTexts } from "../../text/portal.ts";
import { PageHeader } from "../../ui/frame/index.ts";
import { Empty, LinkButton } from "../../ui/states/index.ts";
import { PushedStatus, usePartner } from "../partner/index.ts";
import { PushForm } from "./push-form.tsx";

export default function Push() {
  const { can_push } = usePartner();
  const navigate = useNavigate();
  const [lead, setLead] = useState<PushedLead>();
  return (
    <>
      <PageHeader
        title={portalTexts.push.title}
        hint={portalTexts.push.hint}
        actions={
          can_push && (
            <LinkButton to="/partner/push-file" variant="default">
              {portalTexts.menu.file}
            </LinkButton>
          )
        }
      />
      {!can_push ? (
        <Empty icon={IconLock} title={portalTexts.push.denied} hint={portalTexts.push.deniedHint} />
      ) : lead === undefined ? (
        <PushForm onDone={setLead} />
      ) : (
        <Pushed
          lead={lead}
          onAnother={() => {
            // Clear the navigation state, because a lead for the person in it has been submitted.
            void navigate({ to: "/partner/push", replace: true, state: {} });
            setLead(undefined);
          }}
        />
      )}
    </>
  );
}

interface PushedProps {
  readonly lead: PushedLead;
  readonly onAnother: () => void;
}

function Pushed({ lead, onAnother }: PushedProps) {
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), []);
  return (
    <Card withBorder maw={720} padding="lg" role="status">
      <Title order={2} ref={title} tabIndex={-1}>
        {portalTexts.push.done}
      </Title>
      <Group gap="sm" mt="sm">
        <PushedStatus status={lead.status} />
        <Text size="sm">
          {lead.status === "accepted"
            ? portalTexts.push.doneAccepted(lead.name)
            : portalTexts.push.donePending(lead.name)}
        </Text>
      </Group>
      <Group gap="xs" mt="lg">
        <Button onClick={onAnother}>{portalTexts.push.another}</Button>
        <LinkButton to="/partner/pushed/$id" params={{ id: lead.id }} variant="default">
          {portalTexts.push.open}
        </LinkButton>
      </Group>
    </Card>
  );
}
