/** A table of leads or contacts with simple filters. */

import type { PartnerContactResponse, PartnerLeadResponse } from "@leadport/client";
import { Badge, Group, Text } from "@mantine/core";
import { useList } from "../../api/index.ts";
import { portalTexts } from "../../text/portal.ts";
import { containing, orNone, phoneText, words } from "../../ui/format/index.ts";
import { type Column, ListTable, StatusBadge, Time } from "../../ui/lists/index.ts";
import { Empty } from "../../ui/states/index.ts";
import { type PeopleSearch, usePartner } from "../partner/index.ts";
import { PeopleFilters } from "./people-filters.tsx";

type Visible = PartnerLeadResponse | PartnerContactResponse;

export interface PeopleListProps {
  readonly kind: "leads" | "contacts";
  readonly search: PeopleSearch;
  readonly onSearch: (search: PeopleSearch) => void;
}

const texts = portalTexts.people;
const { fields } = portalTexts;

const STATUS_OF = { leads: "lead_status", contacts: "status" } as const;

function filterOf(kind: PeopleListProps["kind"], { name, status, source }: PeopleSearch) {
  const conditions = {
    ...(name !== undefined && { name: containing(name) }),
    ...(status !== undefined && { [STATUS_OF[kind]]: status }),
    ...(source !== undefined && { lead_source: source }),
  };
  return Object.keys(conditions).length === 0 ? undefined : conditions;
}

const columnsFor = (partnerId: string): readonly Column<Visible>[] => [
  {
    label: fields.name,
    cell: ({ name, partner_id }) => (
      <Group gap={6} wrap="nowrap">
        <Text size="sm" fw={500}>
          {name}
        </Text>
        {partner_id === partnerId && (
          <Badge variant="light" size="sm" tt="none" flex="none">
            {texts.yours}
          </Badge>
        )}
      </Group>
    ),
  },
  { label: fields.email, cell: ({ email }) => orNone(email) },
  {
    label: fields.phone,
    cell: ({ phone, phone_list }) => (
      <Text span size="sm" style={{ whiteSpace: "nowrap" }}>
        {orNone(phone_list[0] === undefined ? phone : phoneText(phone_list[0]))}
      </Text>
    ),
  },
  { label: texts.employer, cell: ({ employer_name }) => orNone(employer_name) },
  { label: fields.source, cell: ({ source }) => words(source) },
  { label: portalTexts.pushed.status, cell: ({ status }) => <StatusBadge value={status} /> },
  { label: texts.since, cell: ({ created_ts }) => <Time at={created_ts} /> },
];

export function PeopleList({ kind, search, onSearch }: PeopleListProps) {
  const { partner_id } = usePartner();
  const filter = filterOf(kind, search);
  const list = useList<Visible>(`/crm/partner/${kind}`, {
    query: { ...(filter !== undefined && { match_filter_dict: filter }) },
  });
  return (
    <>
      <PeopleFilters search={search} onChange={onSearch} />
      <ListTable
        label={texts.kinds[kind]}
        list={list}
        columns={columnsFor(partner_id)}
        keyOf={({ id }) => id}
        empty={
          filter === undefined ? (
            <Empty title={texts.empty[kind]} hint={texts.emptyHint} />
          ) : (
            <Empty title={texts.none} hint={portalTexts.pushed.noneHint} />
          )
        }
      />
    </>
  );
}
