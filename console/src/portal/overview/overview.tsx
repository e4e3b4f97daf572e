/** The portal's home page: permissions, figures, latest leads, and the duplicate check. */

import type { PushedLead } from "@leadport/client";
import { Card, Grid, Group, Stack, Title } from "@mantine/core";
import { useList } from "../../api/index.ts";
import { portalTexts } from "../../text/portal.ts";
import { PageHeader } from "../../ui/frame/index.ts";
import { usePartner, useRight } from "../partner/index.ts";
import { Numbers } from "./numbers.tsx";
import { Rights } from "./rights.tsx";
import { LinkButton, TextLink } from "../../ui/states/index.ts";
import { LookUpForm } from "../look-up/index.ts";
import { NothingPushed, PushedTable } from "../pushed/index.ts";

const LAST = 5;

export default function Overview() {
  const { name, can_push, tenant_name } = usePartner();
  const mayLookUp = useRight("lookup");
  const maySeeNumbers = useRight("analytics");
  return (
    <>
      <PageHeader
        title={name}
        hint={portalTexts.overview.hint(tenant_name)}
        actions={
          can_push && (
            <>
              <LinkButton to="/partner/push-file" variant="default">
                {portalTexts.menu.file}
              </LinkButton>
              <LinkButton to="/partner/push">{portalTexts.menu.push}</LinkButton>
            </>
          )
        }
      />
      <Stack gap="lg">
        {maySeeNumbers && <Numbers />}
        <Grid gap="lg">
          <Grid.Col span={{ base: 12, xl: 8 }}>
            <Stack gap="lg">
              {mayLookUp && (
                <Card withBorder padding="lg">
                  <Title order={2} mb="sm">
                    {portalTexts.overview.quick}
                  </Title>
                  <LookUpForm />
                </Card>
              )}
              <LastPushes />
            </Stack>
          </Grid.Col>
          <Grid.Col span={{ base: 12, xl: 4 }}>
            <Rights />
          </Grid.Col>
        </Grid>
      </Stack>
    </>
  );
}

function LastPushes() {
  const list = useList<PushedLead>("/crm/partner/pushed", { query: { page_size: LAST } });
  // Limit the list to the latest leads, without a button to load more.
  const last = {
    ...list,
    items: list.items.slice(0, LAST),
    query: { ...list.query, hasNextPage: false },
  } as typeof list;
  return (
    <Card withBorder padding="lg">
      <Group justify="space-between" mb="sm">
        <Title order={2}>{portalTexts.overview.last}</Title>
        {list.items.length > 0 && (
          <TextLink to="/partner/pushed" size="sm">
            {portalTexts.overview.all}
          </TextLink>
        )}
      </Group>
      <PushedTable list={last} empty={<NothingPushed />} />
    </Card>
  );
}
