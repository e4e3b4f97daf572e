/** One submitted lead: its details and timeline. */

import { isNotFound, type PushedLead } from "@leadport/client";
import { Alert, Button, Card, SimpleGrid, Text, Timeline, Title } from "@mantine/core";
import { IconRefresh } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { api } from "../../api/index.ts";
import { t } from "../../text/index.ts";
import { portalTexts } from "../../text/portal.ts";
import { BackLink, Empty, Failure, Loading } from "../../ui/states/index.ts";
import { dateTime, orNone, words } from "../../ui/format/index.ts";
import { PageHeader } from "../../ui/frame/index.ts";
import { EmailNote } from "../../ui/notes/index.ts";
import { Facts, PushedStatus } from "../partner/index.ts";

/** Colors of negative final statuses. */
const COLORS: Readonly<Record<string, string>> = { rejected: "red", expired: "orange" };

const route = getRouteApi("/portal/partner/pushed/$id");

export default function OnePushed() {
  const { id } = route.useParams();
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ["partner", "pushed", id],
    queryFn: ({ signal }) =>
      api.get("/crm/partner/pushed/{pushed_lead_id}", { path: { pushed_lead_id: id }, signal }),
  });
  const back = <BackLink to="/partner/pushed">{portalTexts.pushed.title}</BackLink>;
  if (isNotFound(error)) {
    return (
      <>
        {back}
        <PageHeader title={portalTexts.pushed.title} />
        <Empty title={portalTexts.one.missing} hint={portalTexts.one.missingHint} />
      </>
    );
  }
  if (data === undefined) {
    return (
      <>
        {back}
        <PageHeader title={portalTexts.pushed.title} />
        {error === null ? <Loading /> : <Failure error={error} onRetry={() => void refetch()} />}
      </>
    );
  }
  return (
    <>
      {back}
      <PageHeader
        title={data.name}
        hint={<PushedStatus status={data.status} />}
        actions={
          <>
            <Button
              variant="default"
              leftSection={<IconRefresh size={16} aria-hidden />}
              loading={isFetching}
              onClick={() => void refetch()}
            >
              {portalTexts.pushed.refresh}
            </Button>
          </>
        }
      />
      <Failure error={error} onRetry={() => void refetch()} />
      {data.rejection_reason !== null && (
        <Alert color="red" title={portalTexts.one.reason} mb="md">
          {data.rejection_reason}
        </Alert>
      )}
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md">
        <Details lead={data} />
        <Way lead={data} />
      </SimpleGrid>
    </>
  );
}

function Details({ lead }: { readonly lead: PushedLead }) {
  const { fields } = portalTexts;
  const preferences = Object.entries(lead.match_preferences ?? {});
  return (
    <Card withBorder padding="lg">
      <Title order={2} mb="xs">
        {portalTexts.one.details}
      </Title>
      <Facts
        facts={[
          { label: fields.name, value: lead.name },
          {
            label: fields.email,
            value: (
              <>
                {orNone(lead.email)}
                <EmailNote email={lead.email} />
              </>
            ),
          },
          { label: fields.phone, value: orNone(lead.phone) },
          { label: fields.source, value: words(lead.source) },
          { label: fields.description, value: orNone(lead.description) },
          { label: fields.comments, value: orNone(lead.comments) },
          { label: portalTexts.one.submitted, value: dateTime(lead.submitted_ts) },
          {
            label: fields.expiration,
            value: lead.expiration_date === null ? t.common.none : dateTime(lead.expiration_date),
          },
        ]}
      />
      {preferences.length > 0 && (
        <>
          <Title order={3} mt="md" mb="xs" size="sm">
            {fields.preferences}
          </Title>
          <Facts
            facts={preferences.map(([label, value]) => ({
              label,
              value: typeof value === "string" ? value : JSON.stringify(value),
            }))}
          />
        </>
      )}
    </Card>
  );
}

function Way({ lead: { history } }: { readonly lead: PushedLead }) {
  const { moves, by } = portalTexts.one;
  return (
    <Card withBorder padding="lg">
      <Title order={2} mb="lg">
        {portalTexts.one.timeline}
      </Title>
      <Timeline active={history.length - 1} bulletSize={18} lineWidth={2}>
        {history.map((step) => (
          <Timeline.Item
            key={step.to}
            color={COLORS[step.to] ?? "harbour"}
            title={`${moves[step.to]} ${by[step.by]}`}
          >
            <Text size="sm" c="dimmed">
              <time dateTime={step.at}>{dateTime(Date.parse(step.at) / 1000)}</time>
            </Text>
          </Timeline.Item>
        ))}
      </Timeline>
    </Card>
  );
}
