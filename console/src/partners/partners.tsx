/** The tenant's partners. */

import { Badge, Group, SegmentedControl, Tooltip } from "@mantine/core";
import { IconHeartHandshake, IconPlus } from "@tabler/icons-react";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useList } from "../api/index.ts";
import { t } from "../text/index.ts";
import { partnerTexts } from "../text/partners.ts";
import { rate, words } from "../ui/format/index.ts";
import { type Column, ListTable, StatusBadge, Time } from "../ui/lists/index.ts";
import { PageHeader } from "../ui/frame/index.ts";
import { Empty, LinkButton, TextLink } from "../ui/states/index.ts";
import { PartnerFigure } from "./partner-figure.tsx";
import { PARTNERS, STATUSES, type Partner } from "./partner.ts";

const route = getRouteApi("/console/partners");
const SOURCES_SHOWN = 2;

const create = (
  <LinkButton to="/partners/new" leftSection={<IconPlus size={16} aria-hidden />}>
    {partnerTexts.create}
  </LinkButton>
);

/** Describes whether the partner can submit leads and whether these leads are reviewed first. */
function pushesOf({ can_push, auto_accept }: Partner): string {
  if (!can_push) return partnerTexts.cannotPush;
  return auto_accept ? partnerTexts.autoAccepted : partnerTexts.reviewed;
}

const COLUMNS: readonly Column<Partner>[] = [
  {
    label: partnerTexts.name,
    cell: ({ id, name }) => (
      <TextLink to="/partners/$id" params={{ id }} fw={500} size="sm">
        {name}
      </TextLink>
    ),
  },
  { label: partnerTexts.statusFilter, cell: ({ status }) => <StatusBadge value={status} /> },
  { label: partnerTexts.sources, cell: (partner) => <Sources of={partner} /> },
  { label: partnerTexts.pushes, cell: pushesOf },
  {
    label: partnerTexts.rate,
    cell: ({ commission_rate }) => rate(commission_rate),
    isNumber: true,
  },
  {
    label: partnerTexts.pushed,
    cell: ({ id }) => <PartnerFigure id={id} name="total_pushed" />,
    isNumber: true,
  },
  {
    label: partnerTexts.accepted,
    cell: ({ id }) => <PartnerFigure id={id} name="accepted" />,
    isNumber: true,
  },
  {
    label: partnerTexts.imported,
    cell: ({ id }) => <PartnerFigure id={id} name="imported" />,
    isNumber: true,
  },
  {
    label: partnerTexts.earnings,
    cell: ({ id }) => <PartnerFigure id={id} name="estimated_earnings" />,
    isNumber: true,
  },
  { label: partnerTexts.changed, cell: ({ updated_ts }) => <Time at={updated_ts} /> },
];

export default function Partners() {
  const { status } = route.useSearch();
  const navigate = useNavigate();
  const list = useList<Partner>(PARTNERS, { query: { status } });
  const empty =
    status === undefined ? (
      <Empty
        icon={IconHeartHandshake}
        title={partnerTexts.emptyTitle}
        hint={partnerTexts.empty}
        action={create}
      />
    ) : (
      <Empty icon={IconHeartHandshake} title={partnerTexts.noneOfStatus} />
    );
  return (
    <>
      <PageHeader title={partnerTexts.title} hint={partnerTexts.hint} actions={create} />
      <SegmentedControl
        mb="md"
        aria-label={partnerTexts.statusFilter}
        value={status ?? ""}
        onChange={(value) =>
          void navigate({ to: "/partners", search: value === "" ? {} : { status: value } })
        }
        data={[
          { value: "", label: partnerTexts.all },
          ...STATUSES.map((value) => ({ value, label: partnerTexts[value] })),
        ]}
      />
      <ListTable
        label={partnerTexts.title}
        list={list}
        columns={COLUMNS}
        keyOf={({ id }) => id}
        empty={empty}
      />
    </>
  );
}

function Sources({ of: { allowed_marketing_sources: sources } }: { readonly of: Partner }) {
  if (sources.length === 0) return partnerTexts.noSources;
  const rest = sources.length - SOURCES_SHOWN;
  const badges = sources.slice(0, rest === 1 ? undefined : SOURCES_SHOWN).map((source) => (
    <Badge key={source} variant="default" tt="none" fw={500}>
      {words(source)}
    </Badge>
  ));
  return (
    <Tooltip label={sources.map(words).join(", ")} disabled={rest <= 1} multiline maw={300}>
      <Group gap={4}>
        {badges}
        {rest > 1 && (
          <Badge variant="default" aria-label={sources.map(words).join(", ")} role="img">
            {t.common.more(rest)}
          </Badge>
        )}
      </Group>
    </Tooltip>
  );
}
